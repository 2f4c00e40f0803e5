/* The board as a program of the machine that compiles: the reference. */
#include "board.h"

#include <stdio.h>

static FILE *storage;

void board_print(const char *text)
{
    fputs(text, stdout);
}

static int seek(uint32_t at)
{
    if (!storage)
        storage = tmpfile();
    return storage ? fseek(storage, (long)at, SEEK_SET) : -1;
}

int board_read(uint32_t at, void *memory, uint32_t bytes)
{
    return seek(at) == 0 && fread(memory, 1, bytes, storage) == bytes ? 0 : -1;
}

int board_write(uint32_t at, const void *memory, uint32_t bytes)
{
    return seek(at) == 0 && fwrite(memory, 1, bytes, storage) == bytes ? 0 : -1;
}

int board_save(const char *name, const void *memory, uint32_t bytes)
{
    FILE *file = fopen(name, "wb");
    const int good = file && fwrite(memory, 1, bytes, file) == bytes;
    return file && fclose(file) == 0 && good ? 0 : -1;
}

uint32_t board_ticks(void)
{
    return 0;
}
