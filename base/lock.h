/* base/lock: locks for work that can be given up (base/base.h). */
#ifndef BASE_LOCK_H
#define BASE_LOCK_H

#include <pthread.h>

/* As pthread_mutex_lock and unlock. Giving up unlocks the locks that the guard's threads hold; a
 * thread that then gets one gives up too, since the locked data may be half changed. A thread holds
 * at most eight and unlocks them in reverse order. */
void base_lock(pthread_mutex_t *mutex);
void base_unlock(pthread_mutex_t *mutex);

#endif
