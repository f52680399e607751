import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt'

/** ISO 8601 in UTC with milliseconds; null for what has not happened yet. */
export function timestampToJson(timestamp: Timestamp | undefined): string | null {
  return timestamp ? timestampDate(timestamp).toISOString() : null
}
