/** Character tables of `ESC t` and international characters of `ESC R`. */
import { CODE_PAGES, type CodePage, decodePage, decodeText } from '../code-pages.ts'

/** Code pages by the number of `ESC t`: a table of ours, or an encoding of `TextDecoder`. */
const TABLES: Record<number, CodePage | (string & {}) | undefined> = {
  0: 'cp437',
  1: 'katakana',
  2: 'cp850',
  3: 'cp860',
  4: 'cp863',
  5: 'cp865',
  13: 'cp857',
  14: 'cp737',
  15: 'iso-8859-7',
  16: 'windows-1252', // biome-ignore format: a table
  17: 'ibm866',
  18: 'cp852',
  19: 'cp858',
  32: 'cp720',
  33: 'cp775',
  34: 'cp855',
  35: 'cp861',
  36: 'cp862',
  37: 'cp864',
  38: 'cp869',
  39: 'iso-8859-2',
  40: 'iso-8859-15',
  45: 'windows-1250',
  46: 'windows-1251',
  47: 'windows-1253',
  48: 'windows-1254',
  49: 'windows-1255',
  50: 'windows-1256',
  51: 'windows-1257',
  52: 'windows-1258',
}

const REPLACED = '#$@[\\]^`{|}~'

/** Character sets by the number of `ESC R`. */
const INTERNATIONAL: Record<number, string | undefined> = {
  1: '#$à°ç§^`éùè¨',
  2: '#$§ÄÖÜ^`äöüß',
  3: '£$@[\\]^`{|}~',
  4: '#$@ÆØÅ^`æøå~',
  5: '#¤ÉÄÖÅÜéäöåü',
  6: '#$@°\\é^ùàòèì', // biome-ignore format: a table
  7: '₧$@¡Ñ¿^`¨ñ}~',
  8: '#$@[¥]^`{|}~',
  9: '#¤ÉÆØÅÜéæøåü',
  10: '#$ÉÆØÅÜéæøåü',
  11: '#$á¡Ñ¿é`íñóú',
  12: '#$á¡Ñ¿éüíñóú',
  13: '#$@[₩]^`{|}~',
  14: '#$ŽŠĐĆČžšđćč',
  15: '#¥@[\\]^`{|}~',
}

export const isTable = (table: number): boolean => TABLES[table] !== undefined

/** @param bytes one character per byte. */
export function decodeReceipt(bytes: string, table: number, country: number): string {
  const name = TABLES[table] ?? 'cp437'
  const decoded = name in CODE_PAGES ? decodePage(bytes, name as CodePage) : decodeText(bytes, name)
  const national = INTERNATIONAL[country]
  if (!national) return decoded
  return decoded.replace(/[#$@[\\\]^`{|}~]/g, (char) => national[REPLACED.indexOf(char)] ?? char)
}
