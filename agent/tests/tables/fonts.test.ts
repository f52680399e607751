/** Fonts that a document does not contain. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { proves } from '@platen/test/harness/rules.ts'
import { expect, test, vi } from 'vitest'
import { toFont, toStream, writePdf } from '../../../test/cups/build-pdf.ts'
import { inspectDocument } from '../../spoolers/pdf/inspect.ts'
import { drawPdf } from '../../spoolers/raster/draw-pdf.ts'
import { readZpl } from '../read-raster.ts'
import { makeDataDir } from '../start-agent.ts'

const LATIN = '/Lslash /zcaron /ccaron /eogonek /Sacute'
const CYRILLIC = '/afii10017 /afii10018 /afii10019 /afii10020 /afii10021'
const GREEK = '/Alpha /Beta /Gamma /Delta /Omega'
const LETTERS = '0 g BT /F 40 Tf 10 50 Td <C0> Tj 50 0 Td <C1> Tj 50 0 Td <C2> Tj 50 0 Td <C3> Tj 50 0 Td <C4> Tj ET'
const TRUE_TYPE = 'TrueType'

const readFont = (family: string, style: string) =>
  readFileSync(
    createRequire(import.meta.url).resolve(
      `@expo-google-fonts/${family.toLowerCase()}/${style}/${family}_${style}.ttf`,
    ),
  )

/** @param fonts objects from number 5 on, of which the first one is `/F`. */
function write(content: string, fonts: string[]): string {
  const file = join(makeDataDir(), 'document')
  const page =
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 288 100] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>'
  const objects = ['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [3 0 R] /Count 1 >>', page]
  writeFileSync(file, writePdf([...objects, toStream(content), ...fonts]))
  return file
}

/** The font and its letters. */
function embed(encoding: string, letters: Buffer): string[] {
  const descriptor =
    '<< /Type /FontDescriptor /FontName /ABCDEF+Own /Flags 32 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 900 ' +
    '/Descent -200 /CapHeight 700 /StemV 80 /FontFile2 7 0 R >>'
  return [
    toFont(TRUE_TYPE, 'ABCDEF+Own', encoding, '/FontDescriptor 6 0 R'),
    descriptor,
    toStream(letters.toString('latin1'), `/Length1 ${letters.length} `),
  ]
}

async function draw(file: string) {
  const output = `${file}.drawn`
  await drawPdf(file, output, { printer: { rawLanguage: 'zpl', dpi: 203, width: 812 }, placement: {} })
  const [label] = readZpl(readFileSync(output))
  return label?.dots ?? expect.fail('nothing was drawn')
}

/** The share of black dots in the area of each letter. */
async function readInk(file: string): Promise<number[]> {
  const { height, isBlack } = await draw(file)
  return [10, 60, 110, 160, 210].map((x) => {
    const [left, right] = [x, x + 48].map((points) => Math.round((points / 72) * 203)) as [number, number]
    let black = 0
    for (let y = 0; y < height; y++) for (let at = left; at < right; at++) if (isBlack(at, y)) black++
    return black
  })
}

test.each([
  ['Arial', TRUE_TYPE, LATIN, 'Arimo', '400Regular'],
  ['Arial', TRUE_TYPE, CYRILLIC, 'Arimo', '400Regular'],
  ['Helvetica', 'Type1', GREEK, 'Arimo', '400Regular'],
  ['TimesNewRoman,Bold', TRUE_TYPE, LATIN, 'Tinos', '700Bold'],
  ['Courier-Oblique', 'Type1', CYRILLIC, 'Cousine', '400Regular_Italic'],
  ['Unknown-Name', TRUE_TYPE, LATIN, 'Arimo', '400Regular'],
])(
  'letters of the font %s (%s, %s), which is not in the PDF, are those of %s %s',
  async (name, type, encoding, ...own) => {
    proves('rasterize.fonts')
    const expected = await readInk(write(LETTERS, embed(encoding, readFont(...own))))
    for (const black of expected) expect(black).toBeGreaterThan(300)
    expect(await readInk(write(LETTERS, [toFont(type, name, encoding)]))).toEqual(expected)
  },
)

/** Two fonts in one file. */
function collect(fonts: Buffer[]): Buffer {
  const header = Buffer.alloc(12 + fonts.length * 4)
  header.write('ttcf')
  header.writeUInt32BE(0x10000, 4)
  header.writeUInt32BE(fonts.length, 8)
  let start = header.length
  for (const [index, font] of fonts.entries()) {
    header.writeUInt32BE(start, 12 + index * 4)
    for (let at = 12; at < 12 + font.readUInt16BE(4) * 16; at += 16)
      font.writeUInt32BE(font.readUInt32BE(at + 8) + start, at + 8)
    start += font.length
  }
  return Buffer.concat([header, ...fonts])
}

test.skipIf(process.platform !== 'linux')(
  'a font of the computer is used by its name, also in a collection',
  async () => {
    proves('rasterize.fonts')
    const home = makeDataDir()
    const directory = join(home, '.fonts', 'more')
    mkdirSync(directory, { recursive: true })
    const [mono, serif] = [readFont('Cousine', '400Regular'), readFont('Tinos', '400Regular')]
    writeFileSync(join(directory, 'both.ttc'), collect([Buffer.from(mono), Buffer.from(serif)]))
    writeFileSync(join(directory, 'cut.ttf'), mono.subarray(0, 200))
    writeFileSync(join(directory, 'noise.otf'), Buffer.alloc(5_000, 'ttcf'))
    vi.stubEnv('HOME', home)
    for (const [name, font] of [
      ['Tinos', serif],
      ['Cousine-Regular', mono],
    ] as const) {
      const expected = await readInk(write(LETTERS, embed(LATIN, font)))
      expect(await readInk(write(LETTERS, [toFont(TRUE_TYPE, name, LATIN)]))).toEqual(expected)
    }
  },
)

const CHINESE = [
  '<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /UniGB-UCS2-H /DescendantFonts [6 0 R] >>',
  '<< /Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light /DW 1000 ' +
    '/CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 2 >> >>',
]

test.each<[string, string[], string[]]>([
  ['Arial', [toFont(TRUE_TYPE, 'Arial', LATIN)], ['Arial']],
  ['a font of Chinese', CHINESE, ['STSong-Light']],
  ['a name with signs', [toFont(TRUE_TYPE, 'A#60#0A#1BB', LATIN)], ['AB']],
  ['a standard font', [toFont('Type1', 'Times-BoldItalic', LATIN)], []],
  ['an embedded font', embed(LATIN, readFont('Arimo', '400Regular')), []],
])('a PDF with %s has the reason of fonts that it does not contain: %#', async (_, fonts, names) => {
  proves('content.pdf.fonts')
  const { warnings } = await inspectDocument(write(LETTERS, fonts), undefined)
  const message = `The document does not contain the font \`${names[0]}\`. Another font is printed instead, and letters can be missing.`
  expect(warnings).toEqual(names.length > 0 ? [{ reason: 'font-not-embedded', message }] : [])
})

test('text that is not drawn, as of scanned pages, needs no font', async () => {
  const content = 'BT 3 Tr /F 40 Tf 10 50 Td (recognized) Tj ET'
  const { warnings } = await inspectDocument(write(content, [toFont(TRUE_TYPE, 'Arial', LATIN)]), undefined)
  expect(warnings).toEqual([])
})
