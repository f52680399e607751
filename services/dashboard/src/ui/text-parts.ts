/**
 * The texts of explanations. They are also read by programs and people without the dashboard, so their times are in
 * UTC.
 */
export interface TextPart {
  kind: 'text' | 'code' | 'time'
  /** A time is in the form of ISO 8601. */
  text: string
}

/**
 * Commands and values are between backticks. Times are those of `toTime` in `resources/explain/texts.ts`: "2026-03-02
 * 09:30 UTC".
 */
const PARTS = /`(?<code>[^`]*)`|(?<day>\d{4}-\d\d-\d\d) (?<clock>\d\d:\d\d) UTC/g

/** @returns the parts in their order. Joined, they have the whole text. */
export function splitText(text: string): TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  for (const { 0: match, index, groups: { code, day, clock } = {} } of text.matchAll(PARTS)) {
    if (index > end) parts.push({ kind: 'text', text: text.slice(end, index) })
    parts.push(code === undefined ? { kind: 'time', text: `${day}T${clock}:00Z` } : { kind: 'code', text: code })
    end = index + match.length
  }
  if (end < text.length) parts.push({ kind: 'text', text: text.slice(end) })
  return parts
}
