#!/bin/sh
# make profile for AMD, with scripts that imitate the output of rocprofv3 and rocprof: the columns of their
# documentation, one row for each launch.
cd "$(dirname "$0")/.." || exit 3
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
unset ROCM_PATH
passed=0 failed=0
verdict() { # verdict STATUS TEXT
    if [ "$1" -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $2"
        sed 's/^/    /' "$work/said"
    fi
}
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
1,1,4,1,100,100,65536,10,"fill_double(double*, pattern, unsigned long, unsigned long)",256,0,0,16,0,32,"$counter",999.0,1,2
2,2,4,1,100,100,65536,11,"double_sum::reduce_blocks(double const*, double*, unsigned long, int)",256,512,0,16,0,32,"$counter",131072.5,3,4
3,3,4,1,100,100,256,11,"double_sum::reduce_blocks(double const*, double*, unsigned long, int)",256,512,0,16,0,32,"$counter",7.0,5,6
CSV
END
# rocprof -i input.txt -o FILE PROGRAM ...
script "$work/v1/rocprof" <<'END'
counter=$(sed -n 's/^pmc: //p' "$2")
cat >"$4" <<CSV
Index,KernelName,gpu-id,queue-id,queue-index,pid,tid,grd,wgr,lds,scr,arch_vgpr,accum_vgpr,sgpr,wave_size,sig,obj,$counter
0,"_ZN12_GLOBAL__N_1L11fill_doubleEPd.kd",0,0,0,100,100,65536,256,0,0,16,0,32,64,0x0,0x7f,999.0000000000
1,"_ZN10double_sum13reduce_blocksEPKdPdmi.kd",0,0,2,100,100,65536,256,512,0,16,0,32,64,0x0,0x7f,2048.0000000000
CSV
END
profile() { # profile FOLDER
    PATH=$work/$1:/usr/bin:/bin sh tools/profile/profile.sh amd reduction_shfl "$work/program" -n 16M >"$work/said" 2>&1
    status=$?
}

profile v3
[ $status -eq 0 ] && grep -q '^reduce_blocks, the first of 2 launches' "$work/said"
verdict $? 'rocprofv3: two launches of reduce_blocks'
grep -q ' 134.2 MB .*read from memory' "$work/said"
verdict $? 'rocprofv3: 131072.5 KiB are 134.2 MB, and it is the first launch that counts'
grep -q 'MemUnitStalled: not known.*unknown counter' "$work/said"
verdict $? 'rocprofv3: a counter that it does not know is named with its reason'
! grep -q 'fill_double' "$work/said"
verdict $? 'kernels of the harness are left out'
profile v1
[ $status -eq 0 ] && grep -q '^reduce_blocks, the first of 1 launches' "$work/said" && grep -q ' 2.097 MB ' "$work/said"
verdict $? 'rocprof: mangled names, one column for the counter'
profile none
[ $status -eq 2 ] && grep -q 'rocprofv3 is not there' "$work/said"
verdict $? 'without a profiler: exit code 2 and what to install'

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
