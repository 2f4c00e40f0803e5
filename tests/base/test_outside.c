/* What comes from outside: texts that act on a terminal, packed files, paths that lead to one
 * file, a process that is killed while it writes. */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base.h"
#include "tests/suite.h"

static char folder[64];

static void set_up(void)
{
    strcpy(folder, "/tmp/poetbnb-base-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert_int_eq(chdir(folder), 0);
}

static void tear_down(void)
{
    char command[96];
    ck_assert_int_eq(chdir("/"), 0);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    ck_assert_int_eq(system(command), 0);
}

static void put(const char *where, const char *text, size_t size)
{
    FILE *stream = fopen(where, "w");
    ck_assert_ptr_nonnull(stream);
    fwrite(text, 1, size, stream);
    fclose(stream);
}

static void expect(const char *where, const char *text)
{
    size_t size;
    char *got = base_file_read(where, 1 << 20, &size, NULL);
    ck_assert_ptr_nonnull(got);
    ck_assert_str_eq(got, text);
    base_free(got);
}

static void write_to(const char *where, const char *text)
{
    base_error error = {""};
    base_output *output = base_output_open(where, &error);
    ck_assert_msg(output != NULL, "%s", error.text);
    fputs(text, base_output_stream(output));
    ck_assert_msg(base_output_commit(output, &error) == 0, "%s", error.text);
}

/* Number of names in the folder, those of hidden files not counted. */
static int names(void)
{
    FILE *list = popen("ls | wc -l", "r");
    int count = -1;
    ck_assert_ptr_nonnull(list);
    ck_assert_int_eq(fscanf(list, "%d", &count), 1);
    pclose(list);
    return count;
}

/* ---- text ----------------------------------------------------------------------- */

static const struct {
    const char *text, *clean;
    bool plain;
} texts[] = {
    {"conv1", "conv1", true},
    {"", "", true},
    {"\xc3\xa9t\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80",
     "\xc3\xa9t\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80", true},
    {"a\033[31mb", "a?[31mb", false},
    {"a\nb\tc\x7f", "a?b?c?", false},
    {"\xc2\x9b"
     "31m",
     "??31m", false},                         /* CSI in UTF-8 */
    {"\x9b", "?", false},                     /* CSI as a byte */
    {"caf\xe9", "caf?", true},                /* Latin-1 */
    {"x\xe2\x80\xaey", "x???y", false},       /* writes from right to left */
    {"x\xe2\x80\xa8y", "x???y", false},       /* a line separator */
    {"\xc0\x9b", "??", false},                /* CSI, too long a sequence */
    {"\xed\xa0\x80", "???", false},           /* half of a pair */
    {"\xf8\x88\x80\x80\x80", "?????", false}, /* no UTF-8 any more */
    {"\xe2\x82", "??", false},                /* cut off */
};

SUITE("outside", .seconds = 60, .set_up = set_up, .tear_down = tear_down);

LOOP_TEST(text_is_cleaned, LENGTH(texts))
{
    char copy[64];
    ck_assert_int_eq(base_text_plain(texts[_i].text), texts[_i].plain);
    snprintf(copy, sizeof copy, "%s", texts[_i].text);
    base_text_clean(copy);
    ck_assert_str_eq(copy, texts[_i].clean);
    ck_assert(base_text_plain(copy));
    ck_assert_str_eq(base_text_shown(texts[_i].text).text, texts[_i].clean);
}

TEST(shown_is_cut)
{
    char text[3000];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    base_shown shown = base_text_shown(text);
    ck_assert_uint_eq(strlen(shown.text), sizeof shown.text - 1);
    ck_assert_str_eq(shown.text + sizeof shown.text - 5, "x...");
}

TEST(errors_are_clean)
{
    base_error error;
    base_fail(&error, "%s: cannot be read", "\033]0;title\a\xff");
    ck_assert_str_eq(error.text, "?]0;title??: cannot be read");
}

/* ---- packed files ----------------------------------------------------------------- */

TEST(gzip_writes_and_reads)
{
    size_t size;
    char *long_text = base_malloc(3000001, 1);
    for (int k = 0; k < 3000000; k++)
        long_text[k] = (char)('a' + k * (long)k % 26);
    long_text[3000000] = '\0';
    write_to("short.gz", "text\n");
    write_to("empty.GZ", "");
    write_to("long.gz", long_text);
    expect("short.gz", "text\n");
    expect("empty.GZ", "");
    char *got = base_file_read("long.gz", 1 << 22, &size, NULL);
    ck_assert_uint_eq(size, 3000000);
    ck_assert_str_eq(got, long_text);
    base_free_all(got, long_text);
    ck_assert_int_eq(system("gzip -dc short.gz empty.GZ > both && gzip -t long.gz"), 0);
    expect("both", "text\n");
    ck_assert_int_eq(system("mv short.gz named-otherwise"), 0);
    expect("named-otherwise", "text\n");
    ck_assert_int_eq(system("printf one | gzip > two; printf two | gzip >> two"), 0);
    expect("two", "onetwo");
}

TEST(gzip_same_bytes_each_time)
{
    write_to("a.gz", "text\n");
    sleep(1);
    write_to("b.gz", "text\n");
    ck_assert_int_eq(system("cmp a.gz b.gz"), 0);
}

TEST(gzip_damage_is_reported)
{
    base_error error;
    size_t size;
    ck_assert_int_eq(system("printf '%2000d' 7 | gzip > good; head -c 30 good > cut; "
                            "head -c 2 good > two; head -c -1 good > last; "
                            "{ cat good; echo more; } > more; "
                            "{ head -c 20 good; printf '\\377\\377'; tail -c +23 good; } > hurt"),
                     0);
    static const char *const cases[][2] = {{"cut", "cut off"},
                                           {"two", "cut off"},
                                           {"last", "cut off"},
                                           {"more", "something other"},
                                           {"hurt", "damaged"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        ck_assert_ptr_null(base_file_read(cases[k][0], 1 << 20, &size, &error));
        ck_assert_msg(strstr(error.text, cases[k][0]) && strstr(error.text, cases[k][1]), "%s: %s",
                      cases[k][0], error.text);
    }
}

static void read_bomb(void *data)
{
    size_t size;
    *(char **)data = base_file_read("bomb", 1 << 30, &size, NULL);
}

/* What unpacks to more than the limit is refused before memory is taken for it. */
TEST(gzip_bomb)
{
    base_error error;
    size_t size, before = base_memory_peak();
    char *text = NULL;
    ck_assert_int_eq(system("head -c 300000000 /dev/zero | gzip > bomb"), 0);
    ck_assert_ptr_null(base_file_read("bomb", 1 << 22, &size, &error));
    ck_assert_contains(error.text, "longer than 4194304");
    base_limits limits = {.memory_bytes = base_memory_used() + (1 << 24)};
    ck_assert_int_eq(base_try(&limits, read_bomb, &text), BASE_STOP_MEMORY);
    ck_assert_uint_lt(base_memory_peak() - before, 1 << 26);
}

TEST(gzip_full_device)
{
    base_error error;
    ck_assert_int_eq(symlink("/dev/full", "full.gz"), 0);
    base_output *output = base_output_open("full.gz", &error);
    ck_assert_ptr_nonnull(output);
    fputs("text", base_output_stream(output));
    ck_assert_int_eq(base_output_commit(output, &error), -1);
    ck_assert_contains(error.text, "full.gz");
}

/* ---- paths ------------------------------------------------------------------------ */

TEST(endings)
{
    ck_assert(base_path_ends("m.mps", ".mps"));
    ck_assert(base_path_ends("a/m.MPS.gz", ".mps"));
    ck_assert(base_path_ends("m.mps.gz", ".gz"));
    ck_assert(!base_path_ends("m.mps.gz.gz", ".mps"));
    ck_assert(!base_path_ends(".mps", ".mps"));
    ck_assert(!base_path_ends("m.mpsx", ".mps"));
}

TEST(dangling_link)
{
    struct stat status;
    ck_assert_int_eq(mkdir("deep", 0777), 0);
    ck_assert_int_eq(symlink("deep/second", "first"), 0);
    ck_assert_int_eq(symlink("target", "deep/second"), 0);
    write_to("first", "text");
    ck_assert_int_eq(lstat("first", &status), 0);
    ck_assert(S_ISLNK(status.st_mode));
    ck_assert_int_eq(lstat("deep/second", &status), 0);
    ck_assert(S_ISLNK(status.st_mode));
    expect("deep/target", "text");
    base_error error;
    ck_assert_int_eq(symlink("loop", "loop"), 0);
    ck_assert_ptr_null(base_output_open("loop", &error));
    ck_assert_int_eq(lstat("loop", &status), 0);
    ck_assert(S_ISLNK(status.st_mode));
}

/* A link to an open file whose name is gone is no file to be replaced. */
TEST(nameless_file)
{
    char name[32], text[8] = "";
    struct stat status;
    put("lost", "old text", 8);
    int file = open("lost", O_RDONLY);
    ck_assert_int_eq(unlink("lost"), 0);
    snprintf(name, sizeof name, "/proc/self/fd/%d", file);
    ck_assert_int_eq(symlink(name, "link"), 0);
    write_to("link", "new");
    ck_assert_int_eq(lstat("link", &status), 0);
    ck_assert(S_ISLNK(status.st_mode));
    ck_assert_int_eq(read(file, text, sizeof text), 3);
    ck_assert_str_eq(text, "new");
    ck_assert_int_eq(names(), 1);
    close(file);
}

TEST(same_file)
{
    put("a", "a", 1);
    put("b", "b", 1);
    ck_assert_int_eq(mkdir("deep", 0777), 0);
    ck_assert_int_eq(link("a", "hard"), 0);
    ck_assert_int_eq(symlink("../a", "deep/soft"), 0);
    ck_assert_int_eq(symlink("new", "dangling"), 0);
    static const char *const same[][2] = {{"a", "a"},          {"a", "./deep/../a"},
                                          {"a", "hard"},       {"a", "deep/soft"},
                                          {"new", "dangling"}, {"new", "deep/.././new"}};
    for (size_t k = 0; k < sizeof same / sizeof *same; k++)
        ck_assert_msg(base_path_same(same[k][0], same[k][1]), "%s %s", same[k][0], same[k][1]);
    static const char *const different[][2] = {
        {"a", "b"},          {"new", "newer"},           {"a", "new"},
        {"new", "deep/new"}, {"/dev/null", "/dev/null"}, {"no/a", "no/a"}};
    for (size_t k = 0; k < sizeof different / sizeof *different; k++)
        ck_assert_msg(!base_path_same(different[k][0], different[k][1]), "%s %s", different[k][0],
                      different[k][1]);
    int file = open("a", O_RDONLY);
    char name[32];
    snprintf(name, sizeof name, "/dev/fd/%d", file);
    ck_assert(base_path_same(name, "hard"));
    close(file);
}

/* ---- the end of the process ---------------------------------------------------------- */

LOOP_TEST(killed_while_writing, 2)
{
    const int number = _i == 0 ? SIGKILL : SIGTERM;
    pid_t child = fork();
    if (child == 0) {
        base_output *output = base_output_open("result", NULL);
        fputs("half", base_output_stream(output));
        fflush(base_output_stream(output));
        signal(number, SIG_DFL); /* Check has its own handlers */
        raise(number);
    }
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == number);
    ck_assert_int_eq(names(), 0);
}

/* Files must not get the numbers of the standard streams. */
TEST(closed_standard_streams)
{
    pid_t child = fork();
    if (child == 0) {
        char byte;
        for (int file = 0; file <= 2; file++)
            close(file);
        base_files_hold_standard();
        int first = open("file", O_WRONLY | O_CREAT, 0666);
        _exit(first > 2 && read(0, &byte, 1) < 0 && write(1, "x", 1) < 0 && write(2, "x", 1) < 0
                  ? 0
                  : 1);
    }
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}
