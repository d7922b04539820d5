/* libreduction: half and bfloat16, whose results are floats.
 * SPDX-License-Identifier: MIT */
#include "stand.h"

static const size_t sizes[] = {0, 1, 7, 8, 9, 31, 1000, 4099, 16384, 65539, 131075, 299990};

static float widen(int type, uint16_t bits)
{
    if (type == LR_BFLOAT16) {
        uint32_t all = (uint32_t)bits << 16;
        float x;
        memcpy(&x, &all, sizeof x);
        return x;
    }
    int exponent = bits >> 10 & 31, digits = bits & 1023;
    float size = exponent == 31  ? (digits != 0 ? NAN : INFINITY)
                 : exponent == 0 ? ldexpf((float)digits, -24)
                                 : ldexpf((float)(1024 + digits), exponent - 25);
    return bits >> 15 ? -size : size;
}

static uint16_t *h_bits;
static float *h_wide;

static void begin(void)
{
    set_up();
    h_bits = malloc((LARGEST + SPARE) * sizeof *h_bits);
    h_wide = malloc((LARGEST + SPARE) * sizeof *h_wide);
    ck_assert(h_bits != NULL && h_wide != NULL);
}

static void end(void)
{
    free(h_bits);
    free(h_wide);
    tear_down();
}

static void send(int type, size_t n)
{
    for (size_t i = 0; i < n; i++)
        h_wide[i] = widen(type, h_bits[i]);
    HIP_CHECK(hipMemcpy(d_x, h_bits, n * 2, hipMemcpyHostToDevice));
}

/* One function of one array: on the device and to the host. x are the elements as they count. */
static void check_value(int type, call_t *call, call_t *value, int op, const float *x,
                        size_t offset, size_t n)
{
    struct scalar got = {.type = TYPE_FLOAT}, again = got;
    struct reference r = reference_of_array(TYPE_FLOAT, op, x, n, NULL);
    char text[SCALAR_TEXT_MAX], wanted[SCALAR_TEXT_MAX];

    ck_assert_int_eq(call(handle, type, d_x + 2 * offset, n, &d_result->as, stream), LR_OK);
    got = result_at(0, TYPE_FLOAT);
    ck_assert_int_eq(value(handle, type, d_x + 2 * offset, n, &again.as, stream), LR_OK);
    ck_assert_msg(memcmp(&got.as.f, &again.as.f, 4) == 0, "not the same on the host");
    struct verdict v = verify_check(got, &r, chain(TYPE_FLOAT, n));
    ck_assert_msg(v.outcome == VERDICT_OK, "type %d, op %d of %zu at %zu: %s and not %s", type, op,
                  n, offset, scalar_text(text, got), scalar_text(wanted, r.value));
}

static void check_all(int type, size_t offset, size_t n)
{
    const float *x = h_wide + offset;
    long double squares = 0, products = 0, size = 0;
    float norm, product;
    int64_t index, best = -1;

    check_value(type, lr_sum, lr_sum_value, OP_SUM, x, offset, n);
    check_value(type, lr_min, lr_min_value, OP_MIN, x, offset, n);
    check_value(type, lr_max, lr_max_value, OP_MAX, x, offset, n);
    float *magnitudes = malloc(n * sizeof *magnitudes + 1);
    for (size_t i = 0; i < n; i++)
        magnitudes[i] = fabsf(x[i]);
    check_value(type, lr_asum, lr_asum_value, OP_SUM, magnitudes, offset, n);
    free(magnitudes);

    for (size_t i = 0; i < n; i++) {
        squares += (long double)x[i] * x[i];
        products += (long double)x[i] * h_wide[i];
        size += fabsl((long double)x[i] * h_wide[i]);
        if (best < 0 || x[i] > x[best])
            best = (int64_t)i;
    }
    ck_assert_int_eq(lr_nrm2_value(handle, type, d_x + 2 * offset, n, &norm, stream), LR_OK);
    ck_assert_msg(fabsl(norm - sqrtl(squares)) <= FLT_EPSILON * sqrtl(squares), "nrm2: %g, not %Lg",
                  (double)norm, sqrtl(squares));
    ck_assert_int_eq(lr_dot_value(handle, type, d_x + 2 * offset, d_x, n, &product, stream), LR_OK);
    ck_assert_msg(fabsl(product - products) <=
                      FLT_EPSILON * fabsl(products) + 1e3L * DBL_EPSILON * size,
                  "dot of %zu at %zu: %g, not %Lg", n, offset, (double)product, products);
    ck_assert_int_eq(lr_argmax_value(handle, type, d_x + 2 * offset, n, &norm, &index, stream),
                     LR_OK);
    ck_assert_int_eq(index, best);
    ck_assert(best < 0 ? norm == -INFINITY : norm == x[best]);
}

/* Random bits without NaN and infinities; of bfloat16 between 2^-20 and 2^20. */
START_TEST(sizes_and_alignments)
{
    int type = _i;

    for (size_t i = 0; i < LARGEST + SPARE; i++) {
        uint64_t hash = pattern_hash((uint64_t)type, i);
        uint16_t exponent =
            (uint16_t)(type == LR_HALF ? (hash >> 20) % 31 << 10 : (107 + (hash >> 20) % 40) << 7);
        h_bits[i] = (uint16_t)((hash & (type == LR_HALF ? 0x83ff : 0x807f)) | exponent);
    }
    send(type, LARGEST + SPARE);
    for (size_t s = 0; s < COUNT(sizes); s++)
        for (size_t offset = s % 2; offset<8; offset += sizes[s]> 5000 ? 5 : 3)
            check_all(type, offset, sizes[s]);
}
END_TEST

/* Every pattern of bits alone, and NaN, infinities and zeros of both signs among others. */
START_TEST(special_values)
{
    int type = _i;
    float value;
    int64_t index;

    for (size_t i = 0; i < 65536; i++)
        h_bits[i] = (uint16_t)i;
    send(type, 65536);
    for (size_t i = 0; i < 65536; i += i % 1024 < 8 || i % 1024 > 1016 ? 1 : 61) {
        ck_assert_int_eq(lr_max_value(handle, type, d_x + 2 * i, 1, &value, stream), LR_OK);
        ck_assert_msg(isnan(h_wide[i]) ? isnan(value) : memcmp(&value, h_wide + i, 4) == 0,
                      "%zx: %g and not %g", i, (double)value, (double)h_wide[i]);
    }
    ck_assert_int_eq(lr_argmin_value(handle, type, d_x, 65536, &value, &index, stream), LR_OK);
    ck_assert(isnan(value) && index == (type == LR_HALF ? 0x7c01 : 0x7f81));
    ck_assert_int_eq(lr_sum_value(handle, type, d_x, 65536, &value, stream), LR_OK);
    ck_assert(isnan(value));
    h_bits[0] = 0, h_bits[1] = 0x8000, h_bits[2] = 0;
    send(type, 3);
    ck_assert_int_eq(lr_min_value(handle, type, d_x, 3, &value, stream), LR_OK);
    ck_assert(value == 0 && signbit(value));
    ck_assert_int_eq(lr_max_value(handle, type, d_x, 3, &value, stream), LR_OK);
    ck_assert(value == 0 && !signbit(value));
}
END_TEST

/* 2048 ones, and one more: a sum of halves would stay at 2048. */
START_TEST(sum_is_wide)
{
    float value;

    for (size_t i = 0; i < 200001; i++)
        h_bits[i] = (uint16_t)(_i == LR_HALF ? 0x3c00 : 0x3f80);
    send(_i, 200001);
    ck_assert_int_eq(lr_sum_value(handle, _i, d_x, 2049, &value, stream), LR_OK);
    ck_assert(value == 2049);
    ck_assert_int_eq(lr_sum_value(handle, _i, d_x, 200001, &value, stream), LR_OK);
    ck_assert(value == 200001);
}
END_TEST

START_TEST(arguments)
{
    float *to = (float *)d_result;
    struct lr_moments moments;

    for (int type = LR_HALF; type <= LR_BFLOAT16; type++) {
        ck_assert_int_eq(lr_sum(NULL, type, d_x, 9, to, stream), LR_NULL);
        ck_assert_int_eq(lr_sum(handle, type, NULL, 9, to, stream), LR_NULL);
        ck_assert_int_eq(lr_sum(handle, type, d_x + 1, 9, to, stream), LR_MISALIGNED);
        ck_assert_int_eq(lr_sum(handle, type, d_x + 2, 9, to, stream), LR_OK);
        ck_assert_int_eq(lr_sum(handle, type, d_x, 9, (char *)to + 2, stream), LR_MISALIGNED);
        ck_assert_int_eq(lr_sum(handle, type, d_x, 9, d_x + 16, stream), LR_OVERLAP);
        ck_assert_int_eq(lr_sum(handle, type, d_x, 8, d_x + 16, stream), LR_OK);
        ck_assert_int_eq(lr_sum_tree(handle, type, d_x, 9, to, stream), LR_TYPE);
        ck_assert_int_eq(lr_sum_binned(handle, type, d_x, 9, to, stream), LR_TYPE);
        ck_assert_int_eq(lr_sum_rows(handle, type, d_x, 3, 3, 3, to, stream), LR_TYPE);
        ck_assert_int_eq(lr_moments_value(handle, type, d_x, 9, &moments, stream), LR_TYPE);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("library_narrow");
    TCase *tests = suite_case(suite, "library_narrow");

    tcase_add_checked_fixture(tests, begin, end);
    tcase_add_loop_test(tests, sizes_and_alignments, LR_HALF, LR_BFLOAT16 + 1);
    tcase_add_loop_test(tests, special_values, LR_HALF, LR_BFLOAT16 + 1);
    tcase_add_loop_test(tests, sum_is_wide, LR_HALF, LR_BFLOAT16 + 1);
    tcase_add_test(tests, arguments);
    return suite_run(suite);
}
