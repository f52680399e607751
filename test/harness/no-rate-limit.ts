/** For tests that exceed the rate limit of a key. */
export const NO_RATE_LIMIT = { PLATEN_RATE_LIMIT_PER_SECOND: '10000' }
