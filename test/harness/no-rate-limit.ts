/** For tests that exceed the rate limits, and whose clients have one address. */
export const NO_RATE_LIMIT = {
  PLATEN_RATE_LIMIT_PER_SECOND: '10000',
  PLATEN_ORGANIZATION_RATE_LIMIT_PER_SECOND: '10000',
  PLATEN_CONNECTIONS_PER_ADDRESS: '100000',
}
