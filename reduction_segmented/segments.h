/* Where the segments are, on the host; part of segmented.hip, inside its namespace, and therefore without
 * an include guard.
 *
 * Offsets of equal segments are computed; others are kept for as long as the same ones are asked for. */
static struct {
    struct segments s; /* offsets on the host */
    const char *file;  /* of --offsets */
    bool ragged;
    size_t *owned; /* s.offsets, or NULL */
} host;

static void fail(const char *message)
{
    fprintf(stderr, "%s\n", message);
    exit(2);
}

/* --offsets: as many numbers as there are segments, and one more. */
static void read_offsets(const char *file, size_t n)
{
    struct input in;
    char message[INPUT_MESSAGE_MAX];

    if (!input_read_for("--offsets", file, TYPE_LONG, &in, message)) {
        fprintf(stderr, "%s\n", message);
        exit(2);
    }
    const int64_t *offset = (const int64_t *)in.data;
    if (in.n < 1 || offset[0] != 0)
        fail("--offsets: the first number has to be 0, where the first segment begins");
    for (size_t k = 1; k < in.n; k++)
        if (offset[k] < offset[k - 1]) {
            fprintf(stderr, "--offsets: number %zu is %lld, after %lld; put them in order\n", k + 1,
                    (long long)offset[k], (long long)offset[k - 1]);
            exit(2);
        }
    if ((size_t)offset[in.n - 1] != n) {
        fprintf(stderr,
                "--offsets: they end at %lld, but there are %zu elements; give --size %lld\n",
                (long long)offset[in.n - 1], n, (long long)offset[in.n - 1]);
        exit(2);
    }
    host.s.count = in.n - 1;
    host.owned = (size_t *)malloc(in.n * sizeof(size_t));
    if (host.owned == NULL)
        fail("--offsets: no memory is left for so many; give fewer");
    for (size_t k = 0; k < in.n; k++)
        host.owned[k] = (size_t)offset[k];
    input_free(&in);
}

/* --ragged: the length 8 m u^7 with u uniform in [0, 1) is m in the mean; half of all are shorter than
 * m / 16, and a few come near to 8 m. The same for the same m, whatever the input is. */
static void make_offsets(size_t n, size_t mean)
{
    size_t room = 0, at = 0;

    for (host.s.count = 0;; host.s.count++) {
        if (host.s.count == room) {
            room = room == 0 ? 1024 : 2 * room;
            host.owned = (size_t *)realloc(host.owned, room * sizeof(size_t));
            if (host.owned == NULL)
                fail("--ragged: no memory is left for the offsets; give a larger --segment");
        }
        host.owned[host.s.count] = at;
        if (at == n)
            return;
        double u = (double)(pattern_hash(1, host.s.count) >> 11) * 0x1p-53;
        double length = 8 * (double)mean * u * u * u * u * u * u * u;
        at = length < (double)(n - at) ? at + (size_t)length : n;
    }
}

static void define_segments(size_t n, size_t length, bool ragged, const char *file)
{
    if (file != NULL && ragged)
        fail("--ragged and --offsets both say where segments begin: give only one of them");
    length = length < n ? length : n > 0 ? n : 1;
    if (host.s.length == length && host.s.n == n && host.ragged == ragged && host.file == file)
        return; /* all zero before the first call, and length is not */
    free(host.owned);
    host.owned = NULL;
    host.ragged = ragged;
    host.file = file;
    host.s.n = n;
    host.s.length = length;
    host.s.count = ceil_div(n, length);
    if (file != NULL)
        read_offsets(file, n);
    else if (ragged)
        make_offsets(n, length);
    host.s.offsets = host.owned;
}

static size_t longest_segment(void)
{
    size_t longest = 0;

    if (host.owned == NULL)
        return min_size(host.s.length, host.s.n);
    for (size_t k = 0; k < host.s.count; k++)
        if (host.owned[k + 1] - host.owned[k] > longest)
            longest = host.owned[k + 1] - host.owned[k];
    return longest;
}
