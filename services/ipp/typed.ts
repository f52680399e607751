/** Creates values with a syntax. */
import type { IppRange, IppResolution, IppTyped, IppTypedAttributes } from './attributes.ts'

export const keyword = (value: string): IppTyped => ({ syntax: 'keyword', value })
export const integer = (value: number): IppTyped => ({ syntax: 'integer', value })
export const uri = (value: string): IppTyped => ({ syntax: 'uri', value })
export const enumeration = (value: number): IppTyped => ({ syntax: 'enum', value })
export const boolean = (value: boolean): IppTyped => ({ syntax: 'boolean', value })
export const name = (value: string): IppTyped => ({ syntax: 'nameWithoutLanguage', value })
export const text = (value: string): IppTyped => ({ syntax: 'textWithoutLanguage', value })
export const mimeType = (value: string): IppTyped => ({ syntax: 'mimeMediaType', value })
export const dateTime = (value: Date): IppTyped => ({ syntax: 'dateTime', value })
export const range = (value: IppRange): IppTyped => ({ syntax: 'rangeOfInteger', value })
export const resolution = (value: IppResolution): IppTyped => ({ syntax: 'resolution', value })
export const collection = (value: IppTypedAttributes): IppTyped => ({ syntax: 'collection', value })

/** "no-value": the attribute is set and has no value. */
export const NO_VALUE: IppTyped = { syntax: 'noValue', value: null }

/** "unsupported": the attribute is not known to the server. */
export const UNSUPPORTED: IppTyped = { syntax: 'unsupported', value: null }
