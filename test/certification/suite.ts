/**
 * The files of the self-certification of the PWG, and the PWG raster that its tool would make. Nothing of it is in this
 * repository.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { buildPdf } from '../cups/build-pdf.ts'
import { programPath } from '../cups/find-cups.ts'

/** IPP Everywhere Printer Self-Certification Tools 1.1, update 4. */
const ARCHIVE = 'https://github.com/istopwg/ippeveselfcert/archive/refs/tags/v1.1u4.tar.gz'
/** Has the folder `tests` of the archive instead, for computers that do not reach GitHub. */
export const DIRECTORY = 'PLATEN_SELF_CERTIFICATION'

/** The suites and their hashes: a changed suite would have other tests. */
const SUITES = {
  'ipp-tests': '919ea5a5ce3c89661696302a74e34df45852da9b3a0549c9a6d10926ca019610',
  'document-tests': '80636cbe51d53850e4afb7bc454ed6313657efefe3d6f412c8915df420c1f969',
}

export type Suite = keyof typeof SUITES

const PAGES = { A4: { width: 595, height: 842 }, Letter: { width: 612, height: 792 } }
/** Names of the PWG, and color spaces of `cups_cspace_t` with bits per color. */
const COLOR_SPACES: Record<string, [space: number, bits: number]> = {
  sgray_8: [18, 8],
  srgb_8: [19, 8],
  auto: [19, 8],
}
/** The only resolution of raster, so it is the smallest and the largest. */
const DPI = 300

const run = promisify(execFile)

/**
 * @returns the folder of the suites.
 * @throws Error if they cannot be downloaded or are others.
 */
export async function openSuites(scratch: string): Promise<string> {
  const folder = join(scratch, 'tests')
  const own = process.env[DIRECTORY]
  if (own) await cp(own, folder, { recursive: true })
  else await download(scratch)
  for (const [name, sha256] of Object.entries(SUITES)) {
    const file = join(folder, `${name}.test`)
    const text = await readFile(file, 'utf8')
    const found = createHash('sha256').update(text).digest('hex')
    if (found !== sha256) throw new Error(`${file} has the hash ${found} instead of ${sha256}`)
    await writeFile(file, await replaceRaster(folder, text))
  }
  return folder
}

async function download(scratch: string): Promise<void> {
  const response = await fetch(ARCHIVE)
  if (!response.ok)
    throw new Error(`${ARCHIVE} was answered ${response.status}. ${DIRECTORY} can name a copy of its folder tests.`)
  const archive = join(scratch, 'suites.tar.gz')
  await writeFile(archive, Buffer.from(await response.arrayBuffer()))
  await run('tar', ['-xzf', archive, '-C', scratch, '--strip-components=1', '--wildcards', '*/tests'])
}

/** The `ipptool` of Debian cannot make raster. Ghostscript makes what the suite describes. */
async function replaceRaster(folder: string, text: string): Promise<string> {
  const blocks = [...text.matchAll(/GENERATE-FILE \{([^}]*)\}/g)]
  let replaced = text
  for (const [block, facts = ''] of blocks) {
    const read = (name: string) => new RegExp(`${name} (\\S+)`).exec(facts)?.[1]
    // A test of A4 or Letter names the paper before its block.
    const before = text.slice(0, text.indexOf(block))
    const paper = before.slice(before.lastIndexOf('{\n\tSKIP')).includes('na_letter') ? 'Letter' : 'A4'
    const colors = read('COLORSPACE') ?? ''
    // Tests of other color spaces are skipped, but need a file.
    const space = COLOR_SPACES[colors] ? colors : 'srgb_8'
    const file = await makeRaster(folder, { paper, space, pages: Number(read('NUM-PAGES') ?? 1) })
    replaced = replaced.replace(block, `FILE "${file}"`)
  }
  return replaced
}

interface Raster {
  paper: keyof typeof PAGES
  space: string
  pages: number
}

async function makeRaster(folder: string, { paper, space, pages }: Raster): Promise<string> {
  const name = `${paper}-${space}-${pages}.pwg`
  const pdf = join(folder, `${name}.pdf`)
  await writeFile(pdf, buildPdf({ pages, ...PAGES[paper] }))
  const [colors, bits] = COLOR_SPACES[space] ?? []
  const form = [`-dcupsColorSpace=${colors}`, `-dcupsBitsPerColor=${bits}`, `-r${DPI}`]
  const out = `-sOutputFile=${join(folder, name)}`
  await run(programPath('gs'), ['-q', '-dNOPAUSE', '-dBATCH', '-sDEVICE=pwgraster', ...form, out, pdf])
  return name
}
