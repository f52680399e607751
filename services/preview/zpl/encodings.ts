/** Character sets of `^CI`. */
import { type CodePage, decodePage, decodeText } from '../code-pages.ts'

/** What the national sets 0 to 12 replace in code page 850. */
const REPLACED = '#0@[\\]^`{|}'

/** In the order of `^CI0` to `^CI12`. */
const NATIONAL = [
  '#0@[¢]^`{|}', // USA 1
  '#0@⅓¢⅔^`¼½¾', // USA 2
  '£0@[¢]^`{|}', // United Kingdom
  'ƒ0§[Ĳ]^`{ĳ}', // Holland
  '#0@ÆØÅ^`æøå', // Denmark and Norway
  'Ü0ÉÄÖÅÜéäöå', // Sweden and Finland
  '#0§ÄÖÜ^`äöü', // Germany
  '£0à[ç]^`é|ù', // France 1
  '#0àâçêîôéùè', // France 2
  '£0§[çé^ùàòè', // Italy
  '#0§¡Ñ¿^`{ñç', // Spain
  '£0ÉÄÖÜ^äëïö', // Miscellaneous
  '#0@[¥]^`{|}', // Japan
]

/** Encodings by the number of `^CI`; the numbers below 13 are national sets. */
const ENCODINGS: Record<number, string | undefined> = {
  14: 'shift_jis',
  15: 'shift_jis',
  16: 'euc-jp',
  17: 'utf-16be',
  18: 'utf-16le',
  19: 'shift_jis',
  20: 'big5',
  21: 'gb18030', // biome-ignore format: a table
  22: 'gb18030',
  23: 'gb18030',
  24: 'gb18030',
  26: 'euc-kr',
  27: 'windows-1252',
  28: 'utf-8',
  29: 'utf-16be',
  30: 'utf-16le',
  31: 'windows-1250',
  33: 'windows-1251',
  34: 'windows-1253',
  35: 'windows-1254',
  36: 'windows-1255',
}

const PAGE: CodePage = 'cp850'

/** @param bytes one character per byte. @param set the number of `^CI`. */
export function decodeField(bytes: string, set: number): string {
  const encoding = ENCODINGS[set]
  if (encoding) return decodeText(bytes, encoding)
  const national = NATIONAL[set]
  const decoded = decodePage(bytes, PAGE)
  if (!national) return decoded
  return decoded.replace(/[#@[\\\]^`{|}]/g, (char) => national[REPLACED.indexOf(char)] ?? char)
}

export const isCharacterSet = (set: number): boolean => (set >= 0 && set <= 13) || ENCODINGS[set] !== undefined
