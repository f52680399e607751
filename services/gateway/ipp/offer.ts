/**
 * What a printer offers by IPP: the inverse of what agents report. Papers, trays and kinds of paper get keywords of
 * IPP, and each keyword stands for one name.
 */
import { toMediaKeyword } from '@platen/ipp/media-names.ts'
import type { Computer, Printer } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { isIgnoredOnWindows } from '@platen/proto/windows-options.ts'
import { PRINT_JOB_LIMITS } from '@platen/resources/limits.ts'
import { takesFormat } from '@platen/resources/takes-format.ts'
import { RASTER_FORMATS } from './documents/formats.ts'

export interface Choice {
  keyword: string
  /** The value of the print option. */
  name: string
}

export interface Paper extends Choice {
  /** Tenths of a millimetre. */
  width: number
  height: number
}

export interface Resolution {
  x: number
  y: number
  /** The value of the option `dpi`. Undefined if the option has no effect. */
  dpi: string | undefined
}

export interface Offer {
  papers: Paper[]
  /** The paper of a job that names none. Undefined without papers. */
  defaultPaper: Paper | undefined
  sources: Choice[]
  types: Choice[]
  resolutions: Resolution[]
  /** Hundredths of a millimetre, of all sides. */
  margin: number
  duplex: boolean
  color: boolean
  collate: boolean
  /** What the printer makes itself. */
  copies: number
  /** What a job can have: more copies are prints of the same job. */
  copiesMax: number
  nup: number[]
  ppm: number
  /** Media types of documents, the preferred one first. */
  formats: string[]
  /** Whether it takes data in the language of the printer. */
  raw: boolean
  defaults: Record<string, unknown>
}

/** The margins of printers whose agent reports none: those of most lasers, 1/6 inch. */
const USUAL_MARGIN = 423

const USUAL_PAPERS = ['A4', 'Letter']

/** The resolution of a printer that reports none. */
export const USUAL_RESOLUTION: Resolution = { x: 300, y: 300, dpi: undefined }

export function createOffer(
  { capabilities, customPapers, defaultOptions = {} }: Printer,
  { os }: Pick<Computer, 'os'>,
): Offer {
  const hasOption = (name: string, value: string | number | boolean) =>
    !(os === 'windows' && isIgnoredOnWindows(name, value))
  const sizes = [
    ...customPapers.map(({ name, width, height }) => ({ name, width, height })),
    ...(capabilities?.papers ?? []).flatMap(({ name, size }) =>
      size?.width && size.height ? [{ name, width: size.width, height: size.height }] : [],
    ),
  ]
  const papers = withKeywords(sizes, toMediaKeyword)
  const named = (names: string[] = [], option: string) =>
    hasOption(option, names[0] ?? '')
      ? withKeywords(
          names.map((name) => ({ name })),
          toKeyword,
        )
      : []
  const dpis = (capabilities?.dpis ?? []).flatMap((dpi) => {
    const [, x, y] = /^(\d{1,5})x(\d{1,5})$/.exec(dpi) ?? []
    return x && y ? [{ x: Number(x), y: Number(y), dpi: hasOption('dpi', dpi) ? dpi : undefined }] : []
  })
  const drawn = capabilities?.raster?.dpi
    ? [{ x: capabilities.raster.dpi, y: capabilities.raster.dpi, dpi: undefined }]
    : []
  const resolutions = dpis.length > 0 ? dpis : drawn.length > 0 ? drawn : [USUAL_RESOLUTION]
  const copies = Math.max(1, capabilities?.copies ?? 1)
  return {
    papers,
    defaultPaper: findDefaultPaper(papers, defaultOptions.paper),
    sources: named(capabilities?.bins, 'bin'),
    types: named(capabilities?.medias, 'media'),
    resolutions,
    margin: capabilities?.rasterizes ? 0 : USUAL_MARGIN,
    duplex: capabilities?.duplex ?? false,
    color: capabilities?.color ?? false,
    collate: (capabilities?.collate ?? false) && hasOption('collate', true),
    copies,
    copiesMax: Math.max(copies, PRINT_JOB_LIMITS.qty.max),
    nup: capabilities?.nup.length && hasOption('nup', 2) ? [...capabilities.nup] : [1],
    ppm: Math.max(1, Math.round(capabilities?.printrate?.rate ?? 1)),
    ...toFormats(capabilities),
    defaults: defaultOptions,
  }
}

/** @param name of the paper that has precedence. */
export function findDefaultPaper(papers: Paper[], name: unknown): Paper | undefined {
  const found = [name, ...USUAL_PAPERS].map((one) => papers.find((paper) => paper.name === one))
  return found.find((paper) => paper !== undefined) ?? papers[0]
}

function toFormats(capabilities: Printer['capabilities']): Pick<Offer, 'formats' | 'raw'> {
  const reported = {
    formats: capabilities?.formats?.names ?? null,
    papers: Object.fromEntries((capabilities?.papers ?? []).map(({ name }) => [name, true])),
    rasterizes: capabilities?.rasterizes ?? false,
  }
  const drawn = takesFormat(reported, 'pdf') ? ['application/pdf', 'image/jpeg', 'image/png', ...RASTER_FORMATS] : []
  return { formats: [...drawn, 'application/octet-stream'], raw: takesFormat(reported, 'raw') }
}

/** Two names with one keyword would be one value, so the later one is left out, as are repeated names. */
function withKeywords<One extends { name: string }>(
  all: One[],
  toKeyword: (one: One) => string | undefined,
): (One & Choice)[] {
  const keywords = new Set<string>()
  const names = new Set<string>()
  return all.flatMap((one) => {
    const keyword = toKeyword(one)
    if (keyword === undefined || keywords.has(keyword) || names.has(one.name)) return []
    keywords.add(keyword)
    names.add(one.name)
    return [{ ...one, keyword }]
  })
}

/** Names of Windows are texts. A number would make it wait for ever (OpenPrinting/cups#859). */
function toKeyword({ name }: { name: string }): string | undefined {
  if (/^[a-z][a-z0-9._-]{0,254}$/.test(name)) return name
  const slug = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 100)
  return slug === '' ? undefined : /^[a-z]/.test(slug) ? slug : `x-${slug}`
}
