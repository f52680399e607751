/**
 * Values of IPP attributes (RFC 8010, section 3.9; RFC 8011, section 5.1). Decoded values are plain. Values to send
 * have a syntax, because a printer can refuse a value with the wrong tag.
 */

/** "rangeOfInteger", both ends inclusive. */
export interface IppRange {
  lower: number
  upper: number
}

/** "resolution". */
export interface IppResolution {
  x: number
  y: number
  unit: 'dpi' | 'dpcm'
}

/** A name or text with its language. It is decoded without. */
export interface IppLocalized {
  /** "en". */
  language: string
  text: string
}

/** What an attribute has instead of a value. */
export type OutOfBand = 'noValue' | 'unknown' | 'unsupported'

/** Null represents the out-of-band values ("no-value", "unknown", "unsupported"). */
export type IppValue = number | boolean | string | Date | IppRange | IppResolution | IppAttributes | null

/** Attributes, or members of a collection, by name in the order of the response. Each has at least one value. */
export type IppAttributes = { [name: string]: IppValue[] }

/** A value with the syntax that it is sent as. */
export type IppTyped =
  | { syntax: 'integer' | 'enum'; value: number }
  | { syntax: 'boolean'; value: boolean }
  | {
      syntax:
        | 'keyword'
        | 'uri'
        | 'uriScheme'
        | 'charset'
        | 'naturalLanguage'
        | 'mimeMediaType'
        | 'nameWithoutLanguage'
        | 'textWithoutLanguage'
        | 'octetString'
      value: string
    }
  | { syntax: 'nameWithLanguage' | 'textWithLanguage'; value: IppLocalized }
  | { syntax: 'dateTime'; value: Date }
  | { syntax: 'rangeOfInteger'; value: IppRange }
  | { syntax: 'resolution'; value: IppResolution }
  | { syntax: 'collection'; value: IppTypedAttributes }
  | { syntax: OutOfBand; value: null }

/** Attributes to send. Several values are an array. */
export type IppTypedAttributes = { [name: string]: IppTyped | IppTyped[] }

export const isRecord = (value: IppValue | undefined) =>
  typeof value === 'object' && value !== null && !(value instanceof Date)

export const isResolution = (value: IppValue): value is IppResolution =>
  isRecord(value) && typeof (value as IppResolution).unit === 'string' && (value as IppResolution).x > 0

export const isRange = (value: IppValue | undefined): value is IppRange =>
  isRecord(value) && typeof (value as IppRange).upper === 'number'
