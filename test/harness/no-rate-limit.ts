/** For what works one key harder than an integrator may. The tests of the limit go without it: an empty variable counts as not set. */
export const NO_RATE_LIMIT = { PLATEN_RATE_LIMIT_PER_SECOND: '10000' }
