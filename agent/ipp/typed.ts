/** Creates values with a syntax. */
import type { IppTyped } from './attributes.ts'

export const keyword = (value: string): IppTyped => ({ syntax: 'keyword', value })
export const integer = (value: number): IppTyped => ({ syntax: 'integer', value })
export const uri = (value: string): IppTyped => ({ syntax: 'uri', value })

/** "no-value": the attribute is set and has no value. */
export const NO_VALUE: IppTyped = { syntax: 'noValue', value: null }
