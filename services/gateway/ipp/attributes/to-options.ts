import type { JsonObject } from '@bufbuild/protobuf'
import type { IppAttributes, IppTyped, IppTypedAttributes, IppValue } from '@platen/ipp/attributes.ts'
import { enumeration, integer, keyword, UNSUPPORTED } from '@platen/ipp/typed.ts'
import type { Offer } from '../offer.ts'
import { JOB_TEMPLATE, type TemplateRow } from './job-template.ts'

export interface ReadTemplate {
  /** Print options. */
  options: JsonObject
  qty: number
  /** The attributes that were dropped: with their values, or as "unsupported" if the attribute is not known. */
  unsupported: IppTypedAttributes
}

const ROWS = new Map(JOB_TEMPLATE.map((row) => [row.name, row]))

/** Converts job template attributes of a request to print options. What the printer does not support is dropped. */
export function toOptions(attributes: IppAttributes, offer: Offer): ReadTemplate {
  const read: ReadTemplate = { options: {}, qty: 1, unsupported: {} }
  for (const [name, values] of Object.entries(attributes)) {
    const row = ROWS.get(name)
    const meaning = row?.toMeaning(values, offer)
    if (!row || !meaning) read.unsupported[name] = row ? values.map((value) => retype(row, value)) : UNSUPPORTED
    else {
      Object.assign(read.options, meaning.options)
      read.qty = meaning.qty ?? read.qty
    }
  }
  return read
}

function retype({ syntax }: TemplateRow, value: IppValue): IppTyped {
  if (typeof value === 'number') return syntax === 'enum' ? enumeration(value) : integer(value)
  return typeof value === 'string' && syntax === 'keyword' ? keyword(value) : UNSUPPORTED
}
