/**
 * Advances of the printers' scalable font 0, in thousandths of the width that `^A0` gives. Widths decide whether a text
 * fits.
 */
import { CONDENSED } from './outlines.ts'

/** From space to tilde. */
// biome-ignore format: a table
const ASCII = [
  295, 297, 479, 479, 479, 904, 610, 297, 297, 297, 479, 904, 297, 904, 297, 297, // space to /
  479, 479, 479, 479, 479, 479, 479, 479, 479, 479, 297, 297, 998, 904, 998, 441, // 0 to ?
  904, 554, 554, 538, 587, 500, 500, 587, 610, 275, 441, 554, 479, 754, 610, 572, // @ to O
  554, 572, 587, 538, 500, 610, 538, 813, 554, 554, 500, 297, 479, 297, 500, 500, // P to _
  297, 462, 500, 441, 500, 479, 275, 500, 500, 260, 260, 441, 260, 754, 500, 479, // ` to o
  500, 500, 335, 425, 275, 500, 441, 663, 441, 441, 388, 500, 500, 500, 980, // p to ~
]

const OTHERS: Record<string, number | undefined> = {
  '¡': 289,
  '¢': 480,
  '£': 480,
  '¤': 480,
  '¥': 479,
  '¦': 500,
  '§': 480,
  '©': 500,
  ª: 391,
  '«': 400,
  '¬': 900,
  '®': 500, // biome-ignore format: a table
  '°': 480,
  '±': 900,
  '²': 338,
  '³': 338,
  '¹': 338,
  µ: 580,
  '¶': 480,
  '·': 80,
  º: 360,
  '»': 400,
  '¼': 900,
  '½': 900,
  '¾': 900,
  '¿': 458,
  Æ: 860,
  Ð: 576,
  '×': 900,
  Ø: 560,
  Þ: 542,
  ß: 500,
  æ: 729,
  ð: 497,
  '÷': 900,
  ø: 494,
  þ: 493,
  Œ: 847,
  œ: 770,
  ı: 273,
  Ł: 504,
  ł: 304,
  '–': 900,
  '—': 900,
  '‘': 244,
  '’': 238,
  '‚': 268,
  '“': 408,
  '”': 410,
  '„': 410,
  '•': 80,
  '…': 900,
  '‰': 1260,
  '€': 511,
  '™': 600,
}

/** What the advances of Roboto Condensed are multiplied by where no advance of font 0 is known. */
const OTHERWISE = 0.96

/** @returns the advance of a character in thousandths of an em. An accented letter has that of its base letter. */
export function getFont0Advance(char: string): number {
  const known = ASCII[char.charCodeAt(0) - 0x20] ?? OTHERS[char]
  if (known !== undefined) return known
  const base = char.normalize('NFD').charAt(0)
  if (base !== char) return getFont0Advance(base)
  return Math.round((CONDENSED[char.codePointAt(0) ?? 0]?.[0] ?? 500) * OTHERWISE)
}
