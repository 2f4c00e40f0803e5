/* The board of the example: text, a storage for tensors, a file for the result, a clock.
 * board_m4.c is a Cortex-M4 with semihosting, board_host.c the machine that compiles. */
#ifndef BOARD_H
#define BOARD_H

#include <stdint.h>

void board_print(const char *text);

/* Reads `bytes` bytes at `at` of the storage into memory, or writes them there. 0, or -1. */
int board_read(uint32_t at, void *memory, uint32_t bytes);
int board_write(uint32_t at, const void *memory, uint32_t bytes);

/* Writes a file. 0, or -1. */
int board_save(const char *name, const void *memory, uint32_t bytes);

/* Counts upwards; BOARD_TICK instructions each where the emulator counts them (-icount shift=0: a
 * nanosecond an instruction, and the timer runs at 25 MHz). 0 on the host. */
enum { BOARD_TICK = 40 };
uint32_t board_ticks(void);

#endif
