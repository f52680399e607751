import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt'

/** ISO 8601 UTC with milliseconds, as the API has it; null for a time that is not there. */
export function toJson(timestamp: Timestamp | undefined): string | null {
  return timestamp ? timestampDate(timestamp).toISOString() : null
}
