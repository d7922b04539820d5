#!/bin/sh
# make profile for AMD, with scripts that imitate rocprofv3 and rocprof. Columns, quotes and the form of names and values
# are those of recorded output; the numbers are ours, so that a check can tell which one was read:
#   rocprofv3, ROCm 7   amd/HPCTrainingExamples, Profiling-by-example/shallow-water/novice/0_baseline/README.md (MI300A)
#   rocprofv3, 6.2      ROCm/rocm-systems, projects/rocprofiler-sdk/source/docs/data/counter_collection.csv
#   rocprof             ROCm/rocm-systems, projects/rocprofiler-compute/tests/workloads (MI210)
#   rocprof, older      ROCm documentation, "Using rocprof", --timestamp on (MatrixTranspose)
# Options: rocprofv3's documentation, projects/rocprofiler/bin/rpl_run.sh and tblextr.py. One row for each launch.
cd "$(dirname "$0")/../.." || exit 3
. tests/lib/check.sh
unset ROCM_PATH
script() {
    mkdir -p "$(dirname "$1")"
    { echo '#!/bin/sh' && cat; } >"$1"
    chmod +x "$1"
}
script "$work/program" <<'END'
echo 'a,b'
END
# rocprofv3 --pmc COUNTER --output-format csv -d DIR -o out -- PROGRAM ...
script "$work/v3/rocprofv3" <<'END'
counter=$2 folder=$6
[ "$counter" != MemUnitStalled ] || { echo "E: unknown counter $counter" >&2 && exit 1; }
mkdir -p "$folder/host"
cat >"$folder/host/out_counter_collection.csv" <<CSV
"Correlation_Id","Dispatch_Id","Agent_Id","Queue_Id","Process_Id","Thread_Id","Grid_Size","Kernel_Id","Kernel_Name","Workgroup_Size","LDS_Block_Size","Scratch_Size","VGPR_Count","Accum_VGPR_Count","SGPR_Count","Counter_Name","Counter_Value","Start_Timestamp","End_Timestamp"
1,1,"Agent 4",1,100,100,65536,10,"fill_double(double*, pattern, unsigned long, unsigned long)",256,0,0,16,0,32,"$counter",999.000000,1,2
2,2,"Agent 4",1,100,100,65536,11,"double_sum::reduce_blocks(double const*, double*, unsigned long, int)",256,512,0,16,0,32,"$counter",131072.500000,3,4
3,3,"Agent 4",1,100,100,256,11,"double_sum::reduce_blocks(double const*, double*, unsigned long, int)",256,512,0,16,0,32,"$counter",7.000000,5,6
4,4,"Agent 4",1,100,100,256,12,"double_sum::finish(double const*, double*, unsigned long)",256,0,0,12,4,32,"$counter",4.50000000e-02,7,8
CSV
END
# The same before ROCm 6.3: fewer columns, agents are numbers, and so are counters.
script "$work/v3_old/rocprofv3" <<'END'
counter=$2 folder=$6
mkdir -p "$folder"
cat >"$folder/out_counter_collection.csv" <<CSV
"Correlation_Id","Dispatch_Id","Agent_Id","Queue_Id","Process_Id","Thread_Id","Grid_Size","Kernel_Name","Workgroup_Size","LDS_Block_Size","Scratch_Size","VGPR_Count","SGPR_Count","Counter_Name","Counter_Value"
4,4,1,1,36499,36499,65536,"double_sum::reduce_blocks(double const*, double*, unsigned long, int)",256,512,0,12,16,"$counter",16384
CSV
END
# rocprof -i input.txt -o FILE.csv PROGRAM ...
script "$work/v1/rocprof" <<'END'
counter=$(sed -n 's/^pmc: //p' "$2")
case $4 in *.csv) ;; *) echo 'error: file name must have .CSV extension' && exit 1 ;; esac
cat >"$4" <<CSV
Index,KernelName,gpu-id,queue-id,queue-index,pid,tid,grd,wgr,lds,scr,arch_vgpr,accum_vgpr,sgpr,wave_size,sig,obj,$counter
0,"fill_double(double*, pattern, unsigned long, unsigned long) [clone .kd]",2,0,0,4155559,4155559,65536,256,0,0,16,0,32,64,0x0,0x7f2e47d90ec0,999
1,"double_sum::reduce_blocks(double const*, double*, unsigned long, int) [clone .kd]",2,0,2,4155559,4155559,65536,256,512,0,16,0,32,64,0x0,0x7f2e47d90ec0,2048.5
2,"_ZN10double_sum14reduction_shfl13reduce_blocksEPKdPdmi.kd",2,0,4,4155559,4155559,65536,256,512,0,16,0,32,64,0x0,0x7f2e47d90ec0,7
CSV
END
script "$work/v1_old/rocprof" <<'END'
counter=$(sed -n 's/^pmc: //p' "$2")
cat >"$4" <<CSV
Index,KernelName,gpu-id,queue-id,queue-index,pid,tid,grd,wgr,lds,scr,vgpr,sgpr,fbar,sig,obj,$counter,DispatchNs,BeginNs,EndNs,CompleteNs
0,"double_sum::reduce_blocks(double const*, double*, unsigned long, int) [clone .kd]",0,0,0,2837,2837,65536,256,512,0,8,24,0,0x0,0x7fcd75984580,5.9792124305,87851328156768,87851334047658,87851334141098,87851334732528
CSV
END
profile() { # profile FOLDER
    PATH=$work/$1:/usr/bin:/bin python3 tools/profile/profiler.py amd reduction_shfl "$work/program" -n 16M >"$work/said" 2>&1
    status=$?
}

profile v3
[ $status -eq 0 ] && grep -q '^reduce_blocks, the first of 2 launches' "$work/said"
verdict $? 'rocprofv3: two launches of reduce_blocks'
grep -q ' 134.2 MB .*read past the L2' "$work/said"
verdict $? 'rocprofv3: 131072.5 KiB are 134.2 MB, and it is the first launch that counts'
grep -q 'MemUnitStalled: not known.*unknown counter' "$work/said"
verdict $? 'rocprofv3: a counter that it does not know is named with its reason'
! grep -q 'fill_double' "$work/said"
verdict $? 'kernels of the harness are left out'
grep -A9 '^finish, the first of 1' "$work/said" | grep -q ' 4.608e-05 MB '
verdict $? 'rocprofv3: 4.5e-02 KiB'
profile v3_old
[ $status -eq 0 ] && grep -q '^reduce_blocks, the first of 1 launches' "$work/said" && grep -q ' 16.78 MB ' "$work/said"
verdict $? 'rocprofv3 of ROCm 6.2: fewer columns'
profile v1
[ $status -eq 0 ] && grep -q '^reduce_blocks, the first of 2 launches' "$work/said" && grep -q ' 2.098 MB ' "$work/said"
verdict $? 'rocprof: names demangled or not, one column for the counter'
! grep -q 'fill_double' "$work/said"
verdict $? 'rocprof: kernels of the harness are left out'
profile v1_old
[ $status -eq 0 ] && grep -q '^reduce_blocks, the first of 1 launches' "$work/said" && grep -q ' 0.006123 MB ' "$work/said"
verdict $? 'rocprof: older columns, and times behind the counter'
profile none
[ $status -eq 2 ] && grep -q 'rocprofv3 not found' "$work/said"
verdict $? 'without a profiler: exit code 2 and what to install'

finish
