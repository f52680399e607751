/** The tags of the encoding (RFC 8010, sections 3.5.1 and 3.5.2). */

export const GROUPS = {
  operation: 0x01,
  job: 0x02,
  printer: 0x04,
  unsupported: 0x05,
} as const

export const END_OF_ATTRIBUTES = 0x03

/** Lower tags are delimiters of groups, other tags are syntaxes of values. */
export const FIRST_VALUE_TAG = 0x10

/** "unsupported", "unknown", "no-value" and other tags without a value. */
export const isOutOfBand = (tag: number) => tag >= 0x10 && tag <= 0x1f

export const SYNTAXES = {
  unsupported: 0x10,
  unknown: 0x12,
  noValue: 0x13,
  integer: 0x21,
  boolean: 0x22,
  enum: 0x23,
  octetString: 0x30,
  dateTime: 0x31,
  resolution: 0x32,
  rangeOfInteger: 0x33,
  collection: 0x34,
  textWithLanguage: 0x35,
  nameWithLanguage: 0x36,
  endCollection: 0x37,
  textWithoutLanguage: 0x41,
  nameWithoutLanguage: 0x42,
  keyword: 0x44,
  uri: 0x45,
  uriScheme: 0x46,
  charset: 0x47,
  naturalLanguage: 0x48,
  mimeMediaType: 0x49,
  memberAttrName: 0x4a,
} as const

/** All tags of this range are text, also future ones. */
export const isText = (tag: number) => tag >= 0x40 && tag <= 0x5f

export const RESOLUTION_UNITS = { dpi: 3, dpcm: 4 } as const

const KNOWN: ReadonlySet<number> = new Set(Object.values(SYNTAXES))

/** Whether values of the syntax are decoded. */
export const isKnownSyntax = (tag: number) => KNOWN.has(tag)
