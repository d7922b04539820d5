/* Where the segments are, on the host; part of segmented.hip, inside its namespace, and therefore without
 * an include guard. */
struct host_segments {
    struct segments s; /* offsets on the host */
    size_t *owned;     /* s.offsets, to be freed; NULL: offsets of equal segments are computed */
};

static void fail(const char *message, int status)
{
    fprintf(stderr, "%s\n", message);
    exit(status);
}

/* --offsets: as many numbers as there are segments, and one more. */
static void read_offsets(struct host_segments *h, const char *file, size_t n)
{
    struct input in;
    char message[INPUT_MESSAGE_MAX];

    if (!input_read_for("--offsets", file, TYPE_LONG, &in, message)) {
        fprintf(stderr, "%s\n", message);
        exit(EXIT_USAGE);
    }
    const int64_t *offset = (const int64_t *)in.data;
    if (in.n < 1 || offset[0] != 0)
        fail("--offsets: the first number has to be 0, where the first segment begins", EXIT_USAGE);
    for (size_t k = 1; k < in.n; k++)
        if (offset[k] < offset[k - 1]) {
            fprintf(stderr, "--offsets: number %zu is %lld, after %lld; put them in order\n", k + 1,
                    (long long)offset[k], (long long)offset[k - 1]);
            exit(EXIT_USAGE);
        }
    if ((size_t)offset[in.n - 1] != n) {
        fprintf(stderr,
                "--offsets: they end at %lld, but there are %zu elements; give --size %lld\n",
                (long long)offset[in.n - 1], n, (long long)offset[in.n - 1]);
        exit(EXIT_USAGE);
    }
    h->s.count = in.n - 1;
    h->owned = (size_t *)malloc(in.n * sizeof(size_t));
    if (h->owned == NULL)
        fail("--offsets: no memory is left for so many; give fewer", EXIT_DEVICE);
    for (size_t k = 0; k < in.n; k++)
        h->owned[k] = (size_t)offset[k];
    input_free(&in);
}

/* --ragged: the length 8 m u^7 with u uniform in [0, 1) is m in the mean; half of all are shorter than
 * m / 16, and a few come near to 8 m. The same for the same m, whatever the input is. */
static void make_offsets(struct host_segments *h, size_t n, size_t mean)
{
    size_t room = 0, at = 0;

    for (h->s.count = 0;; h->s.count++) {
        if (h->s.count == room) {
            room = room == 0 ? 1024 : 2 * room;
            h->owned = (size_t *)realloc(h->owned, room * sizeof(size_t));
            if (h->owned == NULL)
                fail("--ragged: no memory is left for the offsets; give a larger --segment",
                     EXIT_DEVICE);
        }
        h->owned[h->s.count] = at;
        if (at == n)
            return;
        double u = (double)(pattern_hash(1, h->s.count) >> 11) * 0x1p-53;
        double length = 8 * (double)mean * u * u * u * u * u * u * u;
        at = length < (double)(n - at) ? at + (size_t)length : n;
    }
}

static void define_segments(struct host_segments *h, size_t n, size_t length, bool ragged,
                            const char *file)
{
    if (file != NULL && ragged)
        fail("--ragged and --offsets both say where segments begin: give only one of them",
             EXIT_USAGE);
    length = length < n ? length : n > 0 ? n : 1;
    h->s.n = n;
    h->s.length = length;
    h->s.count = ceil_div(n, length);
    if (file != NULL)
        read_offsets(h, file, n);
    else if (ragged)
        make_offsets(h, n, length);
    h->s.offsets = h->owned;
}

static size_t longest_segment(const struct host_segments *h)
{
    size_t longest = 0;

    if (h->owned == NULL)
        return min_size(h->s.length, h->s.n);
    for (size_t k = 0; k < h->s.count; k++)
        if (h->owned[k + 1] - h->owned[k] > longest)
            longest = h->owned[k + 1] - h->owned[k];
    return longest;
}
