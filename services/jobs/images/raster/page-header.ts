/**
 * The headers of PWG raster (PWG 5102.4, section 4.3) and Apple raster (URF). Pure.
 * References: https://ftp.pwg.org/pub/pwg/candidates/cs-ippraster10-20120420-5102.4.pdf,
 * https://openprinting.github.io/driverless/03-printing-with-urf/
 */
import { InvalidImage } from '../invalid-image.ts'
import { PIXELS_MAX } from '../lay-out-image.ts'

export interface RasterPage {
  /** In pixels. */
  width: number
  height: number
  /** In dots per inch. */
  dpi: { x: number; y: number }
  /** A row has no padding. */
  bytesPerRow: number
  /** `black`: one bit of a pixel, of which 1 is black. */
  colours: 'black' | 'gray' | 'rgb'
  /** The back of a sheet can be mirrored, for printers that take it in another direction. */
  mirrored: { across: boolean; down: boolean }
}

export type RasterFormat = 'pwg' | 'urf'

interface HeaderFormat {
  /** The header of the file, before the first page. */
  fileBytes: number
  pageBytes: number
  read(header: DataView): RasterPage
}

const MARKS: [RasterFormat, string][] = [
  ['pwg', 'RaS2'],
  ['urf', 'UNIRAST\0'],
]

/** @returns undefined for a document of another format. */
export const recognizeRaster = (bytes: Buffer): RasterFormat | undefined =>
  MARKS.find(([, mark]) => bytes.toString('latin1', 0, mark.length) === mark)?.[0]

/** Keys are the number of the colour space and the bits of a pixel. */
const PWG_COLOURS: Record<string, RasterPage['colours']> = { '3/1': 'black', '18/8': 'gray', '19/24': 'rgb' }
/** Both have a grey and an RGB without a profile as well. */
const URF_COLOURS: Record<string, RasterPage['colours']> = {
  '0/8': 'gray',
  '4/8': 'gray',
  '1/24': 'rgb',
  '5/24': 'rgb',
}

/** Other values cannot be a page. */
const DPI = { min: 50, max: 2_400 }

export const HEADER_FORMATS: Record<RasterFormat, HeaderFormat> = {
  pwg: {
    fileBytes: 4,
    pageBytes: 1796,
    read(header) {
      const [dpiX, dpiY, width, height] = [276, 280, 372, 376].map((at) => header.getUint32(at)) as Four
      const colours = PWG_COLOURS[`${header.getUint32(400)}/${header.getUint32(388)}`]
      const page = toPage({ width, height, dpi: { x: dpiX, y: dpiY }, colours })
      // Rows of other lengths or colours in planes are not permitted by the format.
      if (header.getUint32(392) !== page.bytesPerRow || header.getUint32(396) !== 0)
        throw new InvalidImage('image_damaged')
      return { ...page, mirrored: { across: header.getInt32(456) === -1, down: header.getInt32(460) === -1 } }
    },
  },
  urf: {
    fileBytes: 12,
    pageBytes: 32,
    read(header) {
      const [width, height, dpi] = [12, 16, 20].map((at) => header.getUint32(at)) as [number, number, number]
      const colours = URF_COLOURS[`${header.getUint8(1)}/${header.getUint8(0)}`]
      return toPage({ width, height, dpi: { x: dpi, y: dpi }, colours })
    },
  },
}

type Four = [number, number, number, number]

const BITS = { black: 1, gray: 8, rgb: 24 }

/** @throws InvalidImage */
function toPage(found: Pick<RasterPage, 'width' | 'height' | 'dpi'> & { colours: RasterPage['colours'] | undefined }) {
  const { width, height, dpi, colours } = found
  const isPlausible = (density: number) => density >= DPI.min && density <= DPI.max
  if (colours === undefined || width === 0 || height === 0 || !isPlausible(dpi.x) || !isPlausible(dpi.y))
    throw new InvalidImage('image_damaged')
  if (width * height > PIXELS_MAX) throw new InvalidImage('image_pixels')
  const mirrored = { across: false, down: false }
  return { width, height, dpi, colours, mirrored, bytesPerRow: Math.ceil((width * BITS[colours]) / 8) }
}
