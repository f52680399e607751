/** The number of labels of a document in ZPL II. */

/** Stored formats, and other characters of commands: the number is then not in the document. */
const UNCOUNTABLE = /\^DF|\^XF|[\^~]C[CT](?![\^~])|\^JJ|\^PQ\d*,[1-9]/
const QUANTITY = /\^PQ0*(\d{1,8})/g
/** A larger document is a picture for the most part, and takes time to read. */
export const LABELS_MAX_BYTES = 4 * 1024 * 1024

/** @returns undefined if it cannot be known. */
export function countLabels(document: Buffer): number | undefined {
  const text = document.toString('latin1')
  if (UNCOUNTABLE.test(text)) return undefined
  const formats = text.split('^XZ').slice(0, -1)
  return formats.reduce((sum, format) => sum + getQuantity(format), 0) || undefined
}

/** The last quantity of a format counts. A format that prints nothing, such as a setting, has no field. */
function getQuantity(format: string): number {
  if (!/\^(FD|FV|FS|GB|GF|GC|GD|GE|XG|IM|SN)/.test(format)) return 0
  const [, quantity = '1'] = [...format.matchAll(QUANTITY)].at(-1) ?? []
  return Number(quantity)
}
