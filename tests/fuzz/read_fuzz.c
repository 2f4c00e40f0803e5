/* read_fuzz: every reader of files on inputs that are nearly right, under the sanitizers.
 *
 *     read_fuzz [-r READER] [-n EXECUTIONS] [-s SEED] [-d FOLDER] [INPUT...]
 *
 * Runs each reader (or one) until it has been executed EXECUTIONS times in all (default 1000000),
 * in turns. Inputs are mutated from what the program itself writes and, in a build that tells
 * which code runs (VARIANT=fuzz), from those that reached new code. FOLDER (default
 * build/fuzz/readers) keeps counts, such inputs and failures, and a later run goes on from there;
 * executions are numbered, and number, seed and FOLDER decide what is tried. A failure is an end of
 * the process, a wrong answer, memory that stays or exceeds reader_memory_bound, or more than
 * SECONDS_MOST; it is shrunk and written to FOLDER/READER/failure-HASH, with the report beside it
 * in .txt. With INPUTs these are read once each, with -r. Exit status 1 if there were failures. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/fuzz/arguments.h"
#include "tests/owned.h"
#include "tests/readers/readers.h"

enum {
    BATCH = 20000,    /* executions of one child process */
    SECONDS_MOST = 5, /* of the processor, for one input */
    MAP = 1 << 14,    /* places in the map of code that ran */
    TRIALS = 3000,    /* of shrinking one failure */
    PATH = 512
};

/* Written by the child, read by the parent. */
typedef struct shared {
    uint8_t reached[MAP]; /* pairs of places in the code that some input of the reader reached */
    long done;            /* executions of this batch */
    size_t size;          /* of the input being read */
    char input[READER_MOST + 1];
    double slowest; /* processor seconds */
    size_t slowest_size, most_memory, most_memory_size;
} shared;

static shared *board;

typedef struct fuzz {
    reader_kind kind;
    char folder[PATH];
    reader_corpus corpus;
    int own; /* entries of the corpus that the program made */
    long done, failures;
} fuzz;

/* ---- which code ran ------------------------------------------------------------------------- */

static _Alignas(8) uint8_t ran[MAP];
static uintptr_t previous;

/* Called at every edge of the code under test in a build with -fsanitize-coverage=trace-pc. */
void __sanitizer_cov_trace_pc(void); /* NOLINT(bugprone-reserved-identifier) */
void __sanitizer_cov_trace_pc(void)  /* NOLINT(bugprone-reserved-identifier) */
{
    uintptr_t here = (uintptr_t)__builtin_return_address(0);
    ran[(here ^ previous) % MAP] = 1;
    previous = here >> 1;
}

/* True if the last run reached a pair that none did before; remembers it. */
static bool reached_new(void)
{
    bool any = false;
    for (int k = 0; k < MAP; k++) {
        uint64_t eight;
        memcpy(&eight, ran + (k & ~7), sizeof eight);
        if (eight == 0)
            k |= 7; /* on to the next eight */
        else if (ran[k] && !board->reached[k]) {
            board->reached[k] = 1;
            any = true;
        }
    }
    return any;
}

static int reached_count(void)
{
    int count = 0;
    for (int k = 0; k < MAP; k++)
        count += board->reached[k];
    return count;
}

/* ---- memory --------------------------------------------------------------------------------- */

/* Of the sanitizer's allocator; absent from other builds. */
size_t __sanitizer_get_allocated_size(const volatile void *block) /* NOLINT */
    __attribute__((weak));
int __sanitizer_install_malloc_and_free_hooks(/* NOLINT */
                                              void (*took)(const volatile void *, size_t),
                                              void (*gave)(const volatile void *))
    __attribute__((weak));

static size_t held, most_held;

static void took(const volatile void *block, size_t size)
{
    (void)block;
    held += size;
    if (held > most_held)
        most_held = held;
}

static void gave(const volatile void *block)
{
    if (block)
        held -= __sanitizer_get_allocated_size(block);
}

/* Under the address sanitizer a large block that cannot be had ends the process, as a failure. */
const char *__asan_default_options(void); /* NOLINT(bugprone-reserved-identifier) */
const char *__asan_default_options(void)  /* NOLINT(bugprone-reserved-identifier) */
{
    return "max_allocation_size_mb=1024:detect_leaks=0:handle_sigfpe=1:abort_on_error=1:"
           "quarantine_size_mb=16";
}

/* ---- one execution -------------------------------------------------------------------------- */

static double processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static _Noreturn void fail(const char *text)
{
    fprintf(stderr, "read_fuzz: %s\n", text);
    abort();
}

/* Reads one input; ends the process when something is wrong. */
static void execute(reader_kind kind, const char *data, size_t size)
{
    char *exact = malloc(size + 1); /* so that the sanitizer sees reads beyond it */
    if (!exact)
        fail("no memory");
    memcpy(exact, data, size + 1);
    const struct itimerval most = {.it_value = {.tv_sec = SECONDS_MOST}};
    setitimer(ITIMER_PROF, &most, NULL);
    memset(ran, 0, sizeof ran);
    previous = 0;
    const size_t before = most_held = held;
    const double started = processor_seconds();
    const char *wrong = reader_run(kind, exact, size);
    const double took_seconds = processor_seconds() - started;
    if (wrong)
        fail(wrong);
    if (held != before)
        fail("memory is still held");
    if (most_held - before > reader_memory_bound(kind, size))
        fail("more memory than the bound");
    free(exact);
    if (took_seconds > board->slowest) {
        board->slowest = took_seconds;
        board->slowest_size = size;
    }
    if (most_held - before > board->most_memory) {
        board->most_memory = most_held - before;
        board->most_memory_size = size;
    }
}

/* Becomes a process of its own for executions: messages go to a file, or nowhere. */
static void settle_child(const char *messages)
{
    int file = open(messages ? messages : "/dev/null", O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (file >= 0)
        dup2(file, STDERR_FILENO);
    if (__sanitizer_install_malloc_and_free_hooks)
        __sanitizer_install_malloc_and_free_hooks(took, gave);
}

/* True if the child ended as it should. */
static bool wait_for(pid_t child)
{
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return false;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* True if an input still fails, in a process of its own. */
static bool fails(reader_kind kind, const char *data, size_t size, const char *messages)
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        settle_child(messages);
        execute(kind, data, size);
        _exit(0);
    }
    return !wait_for(child);
}

/* ---- files of a run
 * ------------------------------------------------------------------------------ */

static uint64_t hash(const char *data, size_t size)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (size_t k = 0; k < size; k++)
        h = (h ^ (unsigned char)data[k]) * 0x100000001b3u;
    return h;
}

static void write_file(const char *path, const char *data, size_t size)
{
    FILE *file = fopen(path, "w");
    if (!file || fwrite(data, 1, size, file) != size || fclose(file) != 0)
        fprintf(stderr, "read_fuzz: %s: %s\n", path, strerror(errno));
}

/* Names of files of equal beginnings, in the order of their names: the same in each run. */
static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* Takes the inputs that reached new code, of this run and of earlier ones. */
static void load_corpus(fuzz *f)
{
    struct dirent **list;
    while (f->corpus.count > f->own)
        base_free(f->corpus.entry[--f->corpus.count].data);
    int count = scandir(f->folder, &list, NULL, by_name);
    for (int k = 0; k < count; k++) {
        char path[2 * PATH];
        size_t size;
        snprintf(path, sizeof path, "%s/%s", f->folder, list[k]->d_name);
        if (strncmp(list[k]->d_name, "new-", 4) == 0) {
            /* not base_file_read, which unpacks */
            FILE *file = fopen(path, "r");
            char data[READER_MOST];
            size = file ? fread(data, 1, sizeof data, file) : 0;
            if (file)
                fclose(file);
            reader_corpus_add(&f->corpus, data, size);
        }
        free(list[k]);
    }
    if (count >= 0)
        free(list);
}

static void state_path(const fuzz *f, char path[2 * PATH])
{
    snprintf(path, 2 * PATH, "%s/state", f->folder);
}

static void load_state(fuzz *f)
{
    char path[2 * PATH];
    state_path(f, path);
    FILE *file = fopen(path, "r");
    if (file && fscanf(file, "executions %ld failures %ld", &f->done, &f->failures) != 2)
        f->done = f->failures = 0;
    if (file)
        fclose(file);
}

static void save_state(const fuzz *f)
{
    char path[2 * PATH], text[128];
    state_path(f, path);
    snprintf(text, sizeof text, "executions %ld failures %ld\n", f->done, f->failures);
    write_file(path, text, strlen(text));
}

/* ---- batches
 * ---------------------------------------------------------------------------------------- */

static void run_batch(fuzz *f, const fuzz_arguments *a, long count)
{
    char path[2 * PATH];
    for (long k = 0; k < count; k++) {
        base_rng rng = {a->seed + 1000003 * (uint64_t)(f->done + k) + (uint64_t)f->kind};
        reader_input input = reader_mutate(f->kind, &f->corpus, &rng);
        memcpy(board->input, input.data, input.size + 1);
        board->size = input.size;
        execute(f->kind, input.data, input.size);
        if (reached_new()) {
            snprintf(path, sizeof path, "%s/new-%016" PRIx64, f->folder,
                     hash(input.data, input.size));
            write_file(path, input.data, input.size);
            reader_corpus_add(&f->corpus, input.data, input.size);
        }
        base_free(input.data);
        board->done = k + 1;
    }
}

/* Removes parts as long as it fails. */
static void shrink(reader_kind kind, reader_input *input)
{
    int trials = 0;
    OWNED(char) *copy = base_malloc(input->size + 1, 1);
    for (size_t part = (input->size + 1) / 2; part > 0; part = part == 1 ? 0 : (part + 1) / 2)
        for (size_t at = 0; at + part <= input->size && trials < TRIALS;) {
            memcpy(copy, input->data, at);
            memcpy(copy + at, input->data + at + part, input->size - at - part + 1);
            trials++;
            if (fails(kind, copy, input->size - part, NULL)) {
                input->size -= part;
                memcpy(input->data, copy, input->size + 1);
            } else {
                at += part;
            }
        }
}

static void keep_failure(fuzz *f)
{
    char path[2 * PATH], report[2 * PATH + 8];
    reader_input input = {base_malloc(board->size + 1, 1), board->size};
    memcpy(input.data, board->input, board->size + 1);
    f->failures++;
    const bool again = fails(f->kind, input.data, input.size, NULL);
    if (again)
        shrink(f->kind, &input);
    snprintf(path, sizeof path, "%s/failure-%016" PRIx64, f->folder, hash(input.data, input.size));
    snprintf(report, sizeof report, "%s.txt", path);
    write_file(path, input.data, input.size);
    fails(f->kind, input.data, input.size, report);
    printf("%s: FAILURE%s after %ld executions: %s (%zu bytes)\n", reader_name(f->kind),
           again ? "" : " that does not come back", f->done, path, input.size);
    base_free(input.data);
}

static void batch(fuzz *f, const fuzz_arguments *a)
{
    char messages[2 * PATH];
    long count = a->count - f->done < BATCH ? a->count - f->done : BATCH;
    snprintf(messages, sizeof messages, "%s/messages", f->folder);
    load_corpus(f);
    board->done = 0;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        settle_child(messages);
        run_batch(f, a, count);
        _exit(0);
    }
    bool good = wait_for(child);
    f->done += board->done;
    if (!good) {
        f->done++;
        keep_failure(f);
    }
    save_state(f);
}

static void summarise(const fuzz *f)
{
    printf("%-12s %9ld executions, %ld failures; %d inputs of the program, %d more that reached "
           "new code, %d pairs of places; slowest %.3f s for %zu bytes, most memory %.1f MiB for "
           "%zu bytes\n",
           reader_name(f->kind), f->done, f->failures, f->own, f->corpus.count - f->own,
           reached_count(), board->slowest, board->slowest_size,
           (double)board->most_memory / 1048576, board->most_memory_size);
    fflush(stdout);
}

/* One reader to the end. */
static long fuzz_reader(reader_kind kind, const fuzz_arguments *a)
{
    fuzz f = {.kind = kind};
    memset(board, 0, sizeof *board);
    snprintf(f.folder, sizeof f.folder, "%s/%s", a->folder, reader_name(kind));
    mkdir(f.folder, 0777);
    f.corpus = reader_corpus_make(kind);
    f.own = f.corpus.count;
    load_state(&f);
    while (f.done < a->count)
        batch(&f, a);
    load_corpus(&f);
    summarise(&f);
    reader_corpus_clear(&f.corpus);
    return f.failures;
}

/* ---- the program
 * --------------------------------------------------------------------------------------- */

static int find_reader(const char *name)
{
    for (int k = 0; k < READERS; k++)
        if (strcmp(reader_name((reader_kind)k), name) == 0)
            return k;
    fprintf(stderr, "read_fuzz: no reader %s\n", name);
    exit(2);
}

/* Reads files that are given, in this process. */
static int replay(int reader, char **paths)
{
    if (reader < 0) {
        fprintf(stderr, "read_fuzz: -r READER is expected with inputs\n");
        return 2;
    }
    for (; *paths; paths++) {
        FILE *file = fopen(*paths, "r");
        if (!file) {
            fprintf(stderr, "read_fuzz: %s: %s\n", *paths, strerror(errno));
            return 2;
        }
        board->size = fread(board->input, 1, READER_MOST, file);
        board->input[board->size] = '\0';
        fclose(file);
        printf("%s\n", *paths);
        fflush(stdout);
        execute((reader_kind)reader, board->input, board->size);
    }
    return 0;
}

int main(int argc, char **argv)
{
    fuzz_arguments a = {.count = 1000000, .seed = 1, .folder = "build/fuzz/readers"};
    int reader = -1;
    for (int option; (option = getopt(argc, argv, "r:n:s:d:")) != -1;)
        if (option == 'r')
            reader = find_reader(optarg);
        else if (option == 'd')
            a.folder = optarg;
        else if (!fuzz_argument(option, &a))
            return 2;
    board = mmap(NULL, sizeof *board, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (board == MAP_FAILED) {
        perror("read_fuzz");
        return 2;
    }
    if (optind < argc)
        return replay(reader, argv + optind);
    fuzz_make_folder("build/fuzz");
    fuzz_make_folder(a.folder);
    long failures = 0;
    for (int k = 0; k < READERS; k++)
        if (reader < 0 || k == reader)
            failures += fuzz_reader((reader_kind)k, &a);
    return failures > 0;
}
