/* The board mps2-an386 of QEMU: a Cortex-M4 with floating point. Reset, semihosting, timer. */
#include "board.h"

#include <string.h>

int main(void);

/* From the linker script. */
extern uint32_t data_from[], data_begin[], data_end[], bss_begin[], bss_end[], stack_top[];

/* ---- semihosting: requests to the debugger, here the emulator ------------------------------- */

enum { OPEN = 1, CLOSE = 2, WRITE0 = 4, WRITE = 5, READ = 6, SEEK = 10, EXIT = 32 };
enum { MODE_WB = 5, MODE_WPB = 7 }; /* "wb", "w+b" */

static int request(int operation, const void *block)
{
    register int r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = block;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

static int open_file(const char *name, uint32_t mode)
{
    const uint32_t block[3] = {(uint32_t)name, mode, strlen(name)};
    return request(OPEN, block);
}

/* READ and WRITE return the number of bytes that are left over. */
static int move(int operation, int file, const void *memory, uint32_t bytes)
{
    const uint32_t block[3] = {(uint32_t)file, (uint32_t)memory, bytes};
    return request(operation, block) == 0 ? 0 : -1;
}

void board_print(const char *text)
{
    request(WRITE0, text);
}

static int seek_storage(uint32_t at)
{
    static int file = -1;
    if (file < 0)
        file = open_file("storage.bin", MODE_WPB);
    const uint32_t block[2] = {(uint32_t)file, at};
    return file >= 0 && request(SEEK, block) == 0 ? file : -1;
}

int board_read(uint32_t at, void *memory, uint32_t bytes)
{
    const int file = seek_storage(at);
    return file < 0 ? -1 : move(READ, file, memory, bytes);
}

int board_write(uint32_t at, const void *memory, uint32_t bytes)
{
    const int file = seek_storage(at);
    return file < 0 ? -1 : move(WRITE, file, memory, bytes);
}

int board_save(const char *name, const void *memory, uint32_t bytes)
{
    const int file = open_file(name, MODE_WB);
    const uint32_t block[1] = {(uint32_t)file};
    if (file < 0)
        return -1;
    const int failed = move(WRITE, file, memory, bytes);
    return request(CLOSE, block) == 0 ? failed : -1;
}

/* ---- the timer, which counts down --------------------------------------------------------------
 */

enum { TIMER_ON = 1 };
#define TIMER ((volatile uint32_t *)0x40000000) /* control, value, reload */

uint32_t board_ticks(void)
{
    return UINT32_MAX - TIMER[1];
}

/* ---- reset and faults ---------------------------------------------------------------------------
 */

static _Noreturn void end(int status)
{
    const uint32_t block[2] = {0x20026 /* the program has ended */, (uint32_t)status};
    for (;;)
        request(EXIT, block);
}

static void fault(void)
{
    board_print("fault\n");
    end(99);
}

static void reset(void)
{
    *(volatile uint32_t *)0xe000ed88 |= 0xfu << 20; /* CPACR: the floating-point unit */
    memcpy(data_begin, data_from, (uintptr_t)data_end - (uintptr_t)data_begin);
    memset(bss_begin, 0, (uintptr_t)bss_end - (uintptr_t)bss_begin);
    TIMER[2] = TIMER[1] = UINT32_MAX;
    TIMER[0] = TIMER_ON;
    end(main());
}

/* The first entries of the vector table: stack, reset, NMI, hard fault and the other faults. */
__attribute__((section(".vectors"), used)) static const void *const vectors[] = {
    stack_top,           (const void *)reset, (const void *)fault, (const void *)fault,
    (const void *)fault, (const void *)fault, (const void *)fault};
