import { type Timestamp, timestampFromDate } from '@bufbuild/protobuf/wkt'

/** @returns undefined for a time that has not come. */
export const timestampOrNone = (at: Date | null | undefined): Timestamp | undefined =>
  at ? timestampFromDate(at) : undefined
