import { readFileSync, writeFileSync } from 'node:fs'
import type { Command } from 'commander'
import { connect } from '../config.ts'
import { EXIT, Failure } from '../exit-codes.ts'
import { inform, print } from '../output.ts'
import { parsePositive } from '../parse.ts'

interface Settings {
  profile?: string
  json?: boolean
  language?: 'zpl' | 'escpos'
  dpi?: number
  width?: number
  height?: number
  page: number
  out?: string
}

export function addPreview(program: Command): void {
  program
    .command('preview')
    .description('draw a label (ZPL) or a receipt (ESC/POS) as SVG, without printing it')
    .argument('<file>', 'a file, or - for standard input')
    .option('--language <language>', 'zpl or escpos; default: by the content')
    .option('--dpi <number>', 'resolution of the printer', parsePositive)
    .option('--width <mm>', 'printed width', parsePositive)
    .option('--height <mm>', 'length of a label', parsePositive)
    .option('--page <number>', 'which label', parsePositive, 1)
    .option('--out <file>', 'write the SVG there instead of to standard output')
    .action(async (file: string, _, command: Command) => await preview(file, command.optsWithGlobals<Settings>()))
}

async function preview(
  file: string,
  { profile, json, language, dpi, width, height, page, out }: Settings,
): Promise<void> {
  const content = readDocument(file).toString('base64')
  const request = { contentType: 'raw_base64', content, language, dpi, widthMm: width, heightMm: height } as const
  const { pages } = await connect(profile).previews.create(request)
  const shown = pages[page - 1]
  if (!shown) throw new Failure(`The document has ${pages.length} pages.`)
  for (const { offset, message } of shown.warnings) inform(`Byte ${offset}: ${message}`)
  if (json) print(JSON.stringify(shown))
  else if (out === undefined) print(shown.svg.trimEnd())
  else writeFileSync(out, shown.svg)
}

function readDocument(file: string): Buffer {
  try {
    return readFileSync(file === '-' ? process.stdin.fd : file)
  } catch (error) {
    throw new Failure(`${file} is not readable: ${(error as Error).message}`, EXIT.error)
  }
}
