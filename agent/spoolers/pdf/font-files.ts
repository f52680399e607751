/**
 * The fonts of the computer (TrueType and OpenType), by the names and character sets that they declare. Files are
 * untrusted.
 */
import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { findHome } from '../../home.ts'

/** One font of a file. A collection has several. */
export interface FontFile {
  path: string
  sizeBytes: number
  /** The position of the font in its file: 0, except in a collection. */
  offset: number
  isCollection: boolean
  isBold: boolean
  isItalic: boolean
}

interface Font extends FontFile {
  /** The names of the family and of the font, as `toKey` returns them. */
  names: string[]
  /** The field `ulCodePageRange1` of the table `OS/2`. */
  codePages: number
}

/** The number of files that are read in a directory. A computer with fonts of all scripts has about 1,500. */
const FILES_MAX = 4_000
const DEPTH_MAX = 6
/** Larger fonts are left out, because PDFium gets a copy in its memory. Fonts of Chinese have about 20 MB. */
const SIZE_MAX_BYTES = 32 * 1024 * 1024

const COLLECTION_MAX = 64
/** PDFium ends the process for a smaller one. */
const COLLECTION_MIN_BYTES = 1024
const TABLES_MAX = 64
const NAMES_MAX_BYTES = 64 * 1024
const FONT_NAME = /\.(ttf|otf|ttc|otc)$/i

/**
 * Bits of `ulCodePageRange1`, by character sets of Windows: Japanese, Korean, simplified and traditional Chinese,
 * Hebrew, Arabic, Thai.
 */
const CODE_PAGES: Partial<Record<number, number>> = { 128: 17, 129: 19, 134: 18, 136: 20, 177: 5, 178: 6, 222: 16 }

/** Families, full names and names in PostScript. */
const NAME_IDS = [1, 4, 6, 16]
const PLATFORM_WINDOWS = 3

/** Fonts by directory. Read once, because a process serves several documents. */
const found = new Map<string, Font[]>()

function listFonts(directory: string): Font[] {
  const fonts = found.get(directory) ?? addFiles([], directory, DEPTH_MAX).flatMap(readFonts)
  found.set(directory, fonts)
  return fonts
}

function listDirectories(): string[] {
  if (process.platform === 'win32') {
    const { WINDIR = 'C:\\Windows', LOCALAPPDATA } = process.env
    const own = LOCALAPPDATA ? [join(LOCALAPPDATA, 'Microsoft', 'Windows', 'Fonts')] : []
    return [join(WINDIR, 'Fonts'), ...own]
  }
  const home = findHome()
  const [shared, own] =
    process.platform === 'darwin'
      ? [['/System/Library/Fonts', '/Library/Fonts'], ['Library/Fonts']]
      : [
          ['/usr/share/fonts', '/usr/local/share/fonts'],
          ['.local/share/fonts', '.fonts'],
        ]
  return home === undefined ? shared : [...shared, ...own.map((directory) => join(home, directory))]
}

function addFiles(files: string[], directory: string, depth: number): string[] {
  for (const entry of readDirectory(directory)) {
    if (files.length >= FILES_MAX) break
    const path = join(directory, entry.name)
    if (entry.isDirectory() && depth > 0) addFiles(files, path, depth - 1)
    else if (entry.isFile() && FONT_NAME.test(entry.name)) files.push(path)
  }
  return files
}

/** A directory that is missing or cannot be read has no fonts. */
function readDirectory(directory: string) {
  try {
    return readdirSync(directory, { withFileTypes: true })
  } catch {
    return []
  }
}

/** A damaged file has no fonts. */
function readFonts(path: string): Font[] {
  try {
    const sizeBytes = statSync(path).size
    if (sizeBytes > SIZE_MAX_BYTES) return []
    const descriptor = openSync(path, 'r')
    try {
      return readFile((position, length) => readPart(descriptor, position, length), { path, sizeBytes })
    } finally {
      closeSync(descriptor)
    }
  } catch {
    return []
  }
}

type Read = (position: number, length: number) => Buffer

/** @throws RangeError at the end of the file. */
function readPart(descriptor: number, position: number, length: number): Buffer {
  const buffer = Buffer.alloc(length)
  if (readSync(descriptor, buffer, 0, length, position) < length) throw new RangeError('The file is too short.')
  return buffer
}

function readFile(read: Read, file: Pick<FontFile, 'path' | 'sizeBytes'>): Font[] {
  const header = read(0, 12)
  const isCollection = header.toString('latin1', 0, 4) === 'ttcf'
  if (isCollection && file.sizeBytes < COLLECTION_MIN_BYTES) return []
  if (!isCollection) return [readFont(read, { ...file, offset: 0, isCollection })]
  const count = Math.min(header.readUInt32BE(8), COLLECTION_MAX)
  const offsets = read(12, count * 4)
  return Array.from({ length: count }, (_, at) =>
    readFont(read, { ...file, offset: offsets.readUInt32BE(at * 4), isCollection }),
  )
}

function readFont(read: Read, file: Pick<FontFile, 'path' | 'sizeBytes' | 'offset' | 'isCollection'>): Font {
  const count = Math.min(read(file.offset + 4, 2).readUInt16BE(), TABLES_MAX)
  const directory = read(file.offset + 12, count * 16)
  const readTable = (tag: string, maximum: number) => {
    const at = Array.from({ length: count }, (_, index) => index * 16).find(
      (start) => directory.toString('latin1', start, start + 4) === tag,
    )
    if (at === undefined) return undefined
    return read(directory.readUInt32BE(at + 8), Math.min(directory.readUInt32BE(at + 12), maximum))
  }
  const os2 = readTable('OS/2', 86)
  const selection = os2?.readUInt16BE(62) ?? 0
  return {
    ...file,
    names: readNames(readTable('name', NAMES_MAX_BYTES) ?? Buffer.alloc(6)),
    isItalic: (selection & 0x01) !== 0,
    isBold: (selection & 0x20) !== 0,
    codePages: os2 && os2.length >= 82 ? os2.readUInt32BE(78) : 0,
  }
}

function readNames(table: Buffer): string[] {
  const [count, strings] = [table.readUInt16BE(2), table.readUInt16BE(4)]
  const names = new Set<string>()
  for (let at = 6; at < 6 + count * 12 && at + 12 <= table.length; at += 12) {
    if (!NAME_IDS.includes(table.readUInt16BE(at + 6))) continue
    const start = strings + table.readUInt16BE(at + 10)
    const bytes = Buffer.from(table.subarray(start, start + table.readUInt16BE(at + 8)))
    const isUtf16 = table.readUInt16BE(at) === PLATFORM_WINDOWS && bytes.length % 2 === 0
    names.add(toKey(isUtf16 ? bytes.swap16().toString('utf16le') : bytes.toString('latin1')))
  }
  return [...names]
}

/** "Noto Sans SC" and "NotoSansSC-Regular" are the same font. */
const toKey = (name: string) => name.toLowerCase().replaceAll(/[\s,_-]|regular$/g, '')

export interface FontStyle {
  isBold: boolean
  isItalic: boolean
}

/**
 * @param name as in a PDF.
 * @param charset of Windows, see `CODE_PAGES`. A font of a script that the fonts of the agent do not have can be
 *   replaced by any font with it.
 */
export function findFont(name: string, charset: number, { isBold, isItalic }: FontStyle): FontFile | undefined {
  const [fonts, key] = [listDirectories().flatMap(listFonts), toKey(name)]
  const bit = CODE_PAGES[charset]
  const hasScript = ({ codePages }: Font) => bit !== undefined && ((codePages >>> bit) & 1) === 1
  const named = fonts.filter(({ names }) => names.includes(key))
  const candidates = named.length > 0 ? named : fonts.filter(hasScript)
  return candidates.find((font) => font.isBold === isBold && font.isItalic === isItalic) ?? candidates[0]
}
