/* Outputs appear whole or not at all; inputs are read within limits. */
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "tests/owned.h"
#include "tests/suite.h"

/* A folder of its own for each test, removed afterwards. */
static char folder[64];
static char path[128];

static void set_up(void)
{
    strcpy(folder, "/tmp/poetbnb-base-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/result", folder);
}

static int count_files(const char *in)
{
    DIR *stream = opendir(in);
    int count = -2; /* . and .. */
    while (readdir(stream))
        count++;
    closedir(stream);
    return count;
}

static void tear_down(void)
{
    DIR *stream = opendir(folder);
    for (struct dirent *entry; (entry = readdir(stream));) {
        char name[512];
        snprintf(name, sizeof name, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] != '.')
            unlink(name);
    }
    closedir(stream);
    rmdir(folder);
}

static void put(const char *where, const char *text)
{
    FILE *stream = fopen(where, "w");
    ck_assert_ptr_nonnull(stream);
    fputs(text, stream);
    fclose(stream);
}

static void expect(const char *where, const char *text)
{
    size_t size;
    OWNED(char) *got = base_file_read(where, 1 << 20, &size, NULL);
    ck_assert_ptr_nonnull(got);
    ck_assert_str_eq(got, text);
    ck_assert_uint_eq(size, strlen(text));
}

SUITE("files", .set_up = set_up, .tear_down = tear_down);

TEST(commit_creates)
{
    base_output *output = base_output_open(path, NULL);
    ck_assert_ptr_nonnull(output);
    fputs("schedule", base_output_stream(output));
    ck_assert_int_eq(access(path, F_OK), -1);
    ck_assert_int_eq(base_output_commit(output, NULL), 0);
    expect(path, "schedule");
    ck_assert_int_eq(count_files(folder), 1);
    mode_t mask = umask(0);
    umask(mask);
    struct stat status;
    ck_assert_int_eq(stat(path, &status), 0);
    ck_assert_uint_eq(status.st_mode & 0777, 0666 & ~mask);
}

TEST(commit_replaces_and_keeps_mode)
{
    put(path, "old");
    chmod(path, 0640);
    base_output *output = base_output_open(path, NULL);
    fputs("new", base_output_stream(output));
    expect(path, "old");
    ck_assert_int_eq(base_output_commit(output, NULL), 0);
    expect(path, "new");
    struct stat status;
    stat(path, &status);
    ck_assert_uint_eq(status.st_mode & 0777, 0640);
    ck_assert_int_eq(count_files(folder), 1);
}

TEST(abort_leaves_everything)
{
    put(path, "old");
    base_output *output = base_output_open(path, NULL);
    fputs("half", base_output_stream(output));
    base_output_abort(output);
    base_output_abort(NULL);
    expect(path, "old");
    ck_assert_int_eq(count_files(folder), 1);
}

TEST(links_stay_links)
{
    char link[160];
    snprintf(link, sizeof link, "%s/link", folder);
    put(path, "old");
    ck_assert_int_eq(symlink(path, link), 0);
    base_output *output = base_output_open(link, NULL);
    fputs("new", base_output_stream(output));
    ck_assert_int_eq(base_output_commit(output, NULL), 0);
    struct stat status;
    ck_assert_int_eq(lstat(link, &status), 0);
    ck_assert(S_ISLNK(status.st_mode));
    expect(path, "new");
}

TEST(unwritable_places)
{
    base_error error;
    char missing[160];
    snprintf(missing, sizeof missing, "%s/no/result", folder);
    ck_assert_ptr_null(base_output_open(missing, &error));
    ck_assert_contains(error.text, missing);
    ck_assert_contains(error.text, "No such file");
    ck_assert_ptr_null(base_output_open(folder, &error));
    ck_assert_contains(error.text, "directory");
    ck_assert_int_eq(count_files(folder), 0);
}

/* A device is written to, never replaced; a full one is reported. */
TEST(devices)
{
    base_error error;
    base_output *output = base_output_open("/dev/full", &error);
    ck_assert_ptr_nonnull(output);
    fputs("text", base_output_stream(output));
    ck_assert_int_eq(base_output_commit(output, &error), -1);
    ck_assert_contains(error.text, "/dev/full");
    output = base_output_open("/dev/null", &error);
    ck_assert_ptr_nonnull(output);
    fputs("text", base_output_stream(output));
    ck_assert_int_eq(base_output_commit(output, &error), 0);
    struct stat status;
    stat("/dev/null", &status);
    ck_assert(S_ISCHR(status.st_mode));
}

TEST(failed_commit_keeps_the_old_file)
{
    put(path, "old");
    base_error error;
    base_output *output = base_output_open(path, &error);
    fputs("new", base_output_stream(output));
    fflush(base_output_stream(output));
    /* The descriptor goes away under the stream: the final flush must fail. */
    fputs("more", base_output_stream(output));
    int stolen = open("/dev/full", O_WRONLY);
    ck_assert_int_ge(stolen, 0);
    dup2(stolen, fileno(base_output_stream(output)));
    close(stolen);
    ck_assert_int_eq(base_output_commit(output, &error), -1);
    ck_assert_contains(error.text, path);
    expect(path, "old");
    ck_assert_int_eq(count_files(folder), 1);
}

TEST(reading)
{
    base_error error;
    size_t size;
    ck_assert_ptr_null(base_file_read(path, 100, &size, &error));
    ck_assert_contains(error.text, path);
    ck_assert_ptr_null(base_file_read(folder, 100, &size, &error));
    ck_assert_contains(error.text, folder);
    put(path, "0123456789");
    char *text = base_file_read(path, 10, &size, &error);
    ck_assert_str_eq(text, "0123456789");
    base_free(text);
    ck_assert_ptr_null(base_file_read(path, 9, &size, &error));
    ck_assert_contains(error.text, "10 bytes, more than the 9");
    put(path, "");
    text = base_file_read(path, 0, &size, &error);
    ck_assert_ptr_nonnull(text);
    ck_assert_uint_eq(size, 0);
    base_free(text);
}

/* Of more bytes than any machine has, so that reading them would not end. */
TEST(long_files_are_not_read)
{
    base_error error;
    size_t size;
    put(path, "");
    ck_assert_int_eq(truncate(path, (off_t)1 << 42), 0);
    const double begin = base_seconds();
    ck_assert_ptr_null(base_file_read(path, (size_t)1 << 41, &size, &error));
    ck_assert_contains(error.text, "4398046511104 bytes, more than the 2199023255552");
    ck_assert_double_lt(base_seconds() - begin, 5);
    /* no end is in sight of a device */
    ck_assert_ptr_null(base_file_read("/dev/zero", 100000, &size, &error));
    ck_assert_contains(error.text, "longer than 100000");
}

TEST(byte_order_mark)
{
    static const char *const texts[] = {"\xef\xbb\xbftext", "\xef\xbb\xbf",
                                        "\xef\xbb\xbf\xef\xbb\xbf"};
    base_error error;
    size_t size;
    for (int k = 0; k < 3; k++) {
        put(path, texts[k]);
        expect(path, texts[k] + 3);
    }
    put(path, "\xef\xbb");
    expect(path, "\xef\xbb");
    for (int k = 0; k < 2; k++) {
        put(path, k ? "\xff\xfe{" : "\xfe\xff{");
        ck_assert_ptr_null(base_file_read(path, 10, &size, &error));
        ck_assert_contains(error.text, "the byte order mark of UTF-16; expected UTF-8");
    }
    /* in a packed text, too */
    char packed[160];
    snprintf(packed, sizeof packed, "%s/result.gz", folder);
    base_output *output = base_output_open(packed, NULL);
    fputs(texts[0], base_output_stream(output));
    ck_assert_int_eq(base_output_commit(output, NULL), 0);
    expect(packed, "text");
}

/* The reason is named however much was written, and when: in one piece, which the stream does not
 * keep, or in many. */
TEST(full_devices_say_so)
{
    static char long_text[1 << 17];
    char packed[160];
    base_error error;
    memset(long_text, 'x', sizeof long_text - 1);
    snprintf(packed, sizeof packed, "%s/full.gz", folder);
    ck_assert_int_eq(symlink("/dev/full", packed), 0);
    for (int k = 0; k < 4; k++) {
        base_output *output = base_output_open(k % 2 ? packed : "/dev/full", &error);
        ck_assert_ptr_nonnull(output);
        if (k < 2)
            fwrite(long_text, 1, sizeof long_text - 1, base_output_stream(output));
        for (int i = 0; k >= 2 && i < 4096; i++)
            fputs("4096 times sixteen", base_output_stream(output));
        ck_assert_int_eq(base_output_commit(output, &error), -1);
        ck_assert_contains(error.text, "No space left on device");
    }
}

typedef struct reading {
    const char *path;
    size_t limit, size;
    char *text;
} reading;

static void read_step(void *data)
{
    reading *r = data;
    r->text = base_file_read(r->path, r->limit, &r->size, NULL);
}

/* Who writes the pipe says nothing more and does not go away either. */
TEST(reading_ends_at_a_limit)
{
    int ends[2];
    char name[64];
    reading r = {.path = name, .limit = 100};
    ck_assert_int_eq(pipe(ends), 0);
    snprintf(name, sizeof name, "/dev/fd/%d", ends[0]);
    ck_assert_int_eq(write(ends[1], "abc", 3), 3);
    base_limits limits = {.deadline = base_seconds() + 0.1};
    ck_assert_int_eq(base_try(&limits, read_step, &r), BASE_STOP_TIME);
    ck_assert_double_lt(base_seconds(), limits.deadline + 5.0);
    ck_assert_int_eq(write(ends[1], "abc", 3), 3);
    close(ends[1]);
    limits.deadline = base_seconds() + 60.0;
    ck_assert_int_eq(base_try(&limits, read_step, &r), BASE_GO);
    ck_assert_str_eq(r.text, "abc");
    base_free(r.text);
    close(ends[0]);
}

TEST(no_file_stays_open_where_memory_ends)
{
    FILE *stream = fopen(path, "w");
    for (int i = 0; i < 300000; i++)
        fputc('x', stream);
    fclose(stream);
    reading r = {.path = path, .limit = 1 << 20};
    const base_limits limits = {.memory_bytes = base_memory_used() + 100000};
    const int before = count_files("/proc/self/fd");
    ck_assert_int_eq(base_try(&limits, read_step, &r), BASE_STOP_MEMORY);
    ck_assert_int_eq(count_files("/proc/self/fd"), before);
    ck_assert_int_eq(base_try(NULL, read_step, &r), BASE_GO);
    ck_assert_uint_eq(r.size, 300000);
    ck_assert_int_eq(count_files("/proc/self/fd"), before);
    base_free(r.text);
}

TEST(reading_long_and_binary)
{
    FILE *stream = fopen(path, "w");
    for (int i = 0; i < 300000; i++)
        fputc(i % 251, stream);
    fclose(stream);
    size_t size;
    OWNED(char) *text = base_file_read(path, 1 << 20, &size, NULL);
    ck_assert_uint_eq(size, 300000);
    for (int i = 0; i < 300000; i++)
        ck_assert_int_eq((unsigned char)text[i], i % 251);
    ck_assert_int_eq(text[size], 0);
}
