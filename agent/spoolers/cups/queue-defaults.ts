/**
 * Replaces defaults of a queue that would change how many sheets a job prints or what is on them. CUPS adds each
 * default to a job that lacks the attribute, as IPP printers do with their own. Pure. Reference:
 * docs/reference/options.md#options-that-are-not-set.
 */
import type { IppAttributes, IppTyped, IppTypedAttributes, IppValue } from '@platen/ipp/attributes.ts'
import { integer, keyword, NO_VALUE } from '@platen/ipp/typed.ts'

/**
 * The first value is sent if the default of the queue is none of the values. With "no-value" CUPS neither adds the
 * default nor passes the attribute to its filters.
 */
const REPLACEMENTS: Record<string, [value: IppTyped, ...same: IppValue[]]> = {
  'job-sheets': [keyword('none')],
  'number-up': [integer(1)],
  // 7 is "none".
  'orientation-requested': [{ syntax: 'enum', value: 3 }, 7],
  booklet: [NO_VALUE],
  landscape: [NO_VALUE],
  'number-up-layout': [NO_VALUE],
  'page-ranges': [NO_VALUE],
  'page-set': [NO_VALUE],
}

/** Defaults that CUPS prefers to an attribute of the job, by that attribute or its member. */
const PREFERRED: Record<string, string[]> = {
  'media-size': ['media', 'PageSize', 'PageRegion'],
  'media-source': ['InputSlot'],
  'media-type': ['MediaType'],
  'multiple-document-handling': ['Collate'],
  'print-color-mode': ['ColorModel'],
  sides: ['Duplex'],
}

const toDefault = (name: string) => `${name}-default`

export const DEFAULT_ATTRIBUTES = [...Object.keys(REPLACEMENTS), ...Object.values(PREFERRED).flat()].map(toDefault)

/** @returns the attributes of a job, with replacements of the defaults of its queue. */
export function replaceDefaults(attributes: IppTypedAttributes, queue: IppAttributes): IppTypedAttributes {
  const hasOther = (name: string, ...usual: unknown[]) =>
    queue[toDefault(name)]?.some((one) => one !== null && !usual.includes(one)) ?? false
  const replacements = Object.entries(REPLACEMENTS).flatMap(([name, [typed, ...same]]) =>
    hasOther(name, typed.value, ...same) ? [[name, typed]] : [],
  )
  const { 'media-col': media } = attributes
  const members = media && 'value' in media && media.syntax === 'collection' ? media.value : {}
  const preferred = Object.keys({ ...attributes, ...members })
    .flatMap((name) => PREFERRED[name] ?? [])
    .filter((name) => hasOther(name))
  return {
    ...Object.fromEntries(replacements),
    ...Object.fromEntries(preferred.map((name) => [name, NO_VALUE])),
    ...attributes,
  }
}
