/**
 * Gives PDFium the fonts that a document does not contain. Its own ones have the letters of Western Europe only; a
 * letter that the font of a text lacks is not drawn.
 *
 * - The standard fonts, and those that it takes for them (Arial, Times New Roman, Courier New), are the fonts of the
 *   agent, which have the same widths and the letters of Latin, Cyrillic and Greek. So a document looks the same on all
 *   computers.
 * - Another font is that of the computer with this name, otherwise for some scripts one with their letters, otherwise
 *   one of the agent.
 */
import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { resolveNative } from '../native-packages.ts'
import { type FontFile, type FontStyle, findFont } from './font-files.ts'
import type { Pdfium } from './pdfium.ts'
import { addFunctions } from './wasm-functions.ts'

/** Our fonts by the name that PDFium gives a standard font. */
const STANDARD = { Helvetica: 'Arimo', Times: 'Tinos', Courier: 'Cousine' } as const
const STANDARD_NAME = /^(Helvetica|Times|Courier)(?:-|$)/

/** Constants of fpdf_sysfontinfo.h. */
const PITCH = { FIXED: 1, ROMAN: 16 } as const
const CHARSET = { SYMBOL: 2, JAPANESE: 128, KOREAN: 129, CHINESE_SIMPLIFIED: 134, CHINESE_TRADITIONAL: 136 } as const
const TABLE = { ALL: 0, COLLECTION: 0x74746366 } as const

/** The fonts of the agent have no letters of these. */
const WITHOUT_SUBSTITUTE: number[] = Object.values(CHARSET)

/** From here on a font is bold: 400 is regular, 700 is bold. */
const BOLD_WEIGHT = 600

/** The size of the fonts of one document, of the 256 MB of its process. */
const FONTS_MAX_BYTES = 96 * 1024 * 1024

const VERSION = 1
const POINTER_BYTES = 4

/** Before the document is opened. What this allocates is freed with the instance. */
export function provideFonts(pdfium: Pdfium): void {
  const { pdfium: memory, FPDF_SetSystemFontInfo } = pdfium
  const { setValue, UTF8ToString, wasmExports } = memory
  const fonts: FontFile[] = []
  let sizeBytes = 0

  function map(name: string, charset: number, pitch: number, style: FontStyle): number {
    const font = chooseFont(name, charset, pitch, style)
    if (!font || sizeBytes + font.sizeBytes > FONTS_MAX_BYTES) return 0
    sizeBytes += font.sizeBytes
    return fonts.push(font)
  }

  function read(handle: number, table: number, buffer: number, length: number): number {
    const font = fonts[handle - 1]
    if (!font || table !== (font.isCollection ? TABLE.COLLECTION : TABLE.ALL))
      // The position in its collection follows from the size.
      return font?.isCollection && table === TABLE.ALL ? font.sizeBytes - font.offset : 0
    if (buffer !== 0) copyFile(font, memory.HEAPU8.subarray(buffer, buffer + Math.min(length, font.sizeBytes)))
    return font.sizeBytes
  }

  // The functions of FPDF_SYSFONTINFO in its order. Each gets the address of the structure first.
  const functions = addFunctions(pdfium, [
    ['vi', () => undefined],
    ['vii', () => undefined],
    [
      'iiiiiiii',
      (_, weight = 0, italic = 0, charset = 0, pitch = 0, name = 0) =>
        map(UTF8ToString(name), charset, pitch, { isBold: weight >= BOLD_WEIGHT, isItalic: italic !== 0 }),
    ],
    ['iii', () => 0],
    ['iiiiii', (_, handle = 0, table = 0, buffer = 0, length = 0) => read(handle, table >>> 0, buffer >>> 0, length)],
    ['iiiii', () => 0],
    ['iii', () => 0],
    ['vii', () => undefined],
  ])
  const values = [VERSION, ...functions]
  const info = wasmExports.malloc(values.length * POINTER_BYTES)
  for (const [at, value] of values.entries()) setValue(info + at * POINTER_BYTES, value, 'i32')
  FPDF_SetSystemFontInfo(info)
}

function chooseFont(name: string, charset: number, pitch: number, style: FontStyle): FontFile | undefined {
  const [, standard] = STANDARD_NAME.exec(name) ?? []
  if (standard) return openOwn(STANDARD[standard as keyof typeof STANDARD], style)
  const found = findFont(name, charset, style)
  if (found || WITHOUT_SUBSTITUTE.includes(charset)) return found
  return openOwn(pitch & PITCH.FIXED ? 'Cousine' : pitch & PITCH.ROMAN ? 'Tinos' : 'Arimo', style)
}

/** @param family of Google Fonts, as packages of npm contain them. */
function openOwn(family: (typeof STANDARD)[keyof typeof STANDARD], { isBold, isItalic }: FontStyle): FontFile {
  const name = `${isBold ? '700Bold' : '400Regular'}${isItalic ? '_Italic' : ''}`
  const path = resolveNative(`@expo-google-fonts/${family.toLowerCase()}/${name}/${family}_${name}.ttf`)
  return { path, sizeBytes: statSync(path).size, offset: 0, isCollection: false, isBold, isItalic }
}

/** A file that is shorter than before leaves zeros, and PDFium refuses the font. */
function copyFile({ path }: FontFile, to: Uint8Array): void {
  const descriptor = openSync(path, 'r')
  try {
    readSync(descriptor, to, 0, to.length, 0)
  } finally {
    closeSync(descriptor)
  }
}
