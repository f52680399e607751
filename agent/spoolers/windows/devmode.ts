/** The parts of a DEVMODEW that print options come to lie in. What stands behind them is the driver's own and stays as it is. Pure. */

export interface PaperSetting {
  /** DMPAPER_…. */
  id: number
  /** Of a paper that the driver has no name for, in tenths of a millimetre. */
  size?: { width: number; height: number }
}

export interface DevmodeSettings {
  copies: number
  paper?: PaperSetting
  /** DMBIN_…. */
  bin?: number
  color?: boolean
  duplex?: Duplex
}

export type Duplex = 'one-sided' | 'long-edge' | 'short-edge'

export const DMPAPER_USER = 256

/** What dmPaperWidth and dmPaperLength hold, in tenths of a millimetre. */
export const PAPER_MAX = 32_767

const OFFSET = {
  fields: 72,
  orientation: 76,
  paperSize: 78,
  paperLength: 80,
  paperWidth: 82,
  copies: 86,
  bin: 88,
  color: 92,
  duplex: 94,
} as const

/** DM_…. */
const FIELD = {
  orientation: 0x1,
  paperSize: 0x2,
  paperLength: 0x4,
  paperWidth: 0x8,
  copies: 0x100,
  bin: 0x200,
  color: 0x800,
  duplex: 0x1000,
  formName: 0x10000,
} as const

const PORTRAIT = 1
const COLOR = { mono: 1, color: 2 }
const DUPLEX: Record<Duplex, number> = { 'one-sided': 1, 'long-edge': 2, 'short-edge': 3 }

/** The driver's settings with these in their place. A sheet always stands upright: pages are turned before Windows gets them. */
export function withSettings(devmode: Uint8Array, { copies, paper, bin, color, duplex }: DevmodeSettings): Buffer {
  const settings = Buffer.from(devmode)
  let fields = settings.readUInt32LE(OFFSET.fields)
  const set = (name: Exclude<keyof typeof OFFSET, 'fields'>, field: number, value: number) => {
    settings.writeInt16LE(value, OFFSET[name])
    fields |= field
  }
  set('orientation', FIELD.orientation, PORTRAIT)
  set('copies', FIELD.copies, copies)
  if (paper) {
    fields &= ~(FIELD.paperLength | FIELD.paperWidth | FIELD.formName)
    set('paperSize', FIELD.paperSize, asSigned(paper.id))
    if (paper.size) {
      set('paperWidth', FIELD.paperWidth, paper.size.width)
      set('paperLength', FIELD.paperLength, paper.size.height)
    }
  }
  if (bin !== undefined) set('bin', FIELD.bin, asSigned(bin))
  if (color !== undefined) set('color', FIELD.color, color ? COLOR.color : COLOR.mono)
  if (duplex) set('duplex', FIELD.duplex, DUPLEX[duplex])
  settings.writeUInt32LE(fields >>> 0, OFFSET.fields)
  return settings
}

/** Which of the options the driver did not keep, by their names: some take settings without a word and print something else. */
export function findRejected(
  asked: DevmodeSettings,
  devmode: Uint8Array,
): ('paper' | 'bin' | 'color' | 'duplex' | 'copies')[] {
  const merged = Buffer.from(devmode)
  const holds = (name: keyof typeof OFFSET, value: number) => merged.readInt16LE(OFFSET[name]) === value
  const { copies, paper, bin, color, duplex } = asked
  const checks = {
    copies: holds('copies', copies),
    paper: !paper || holds('paperSize', asSigned(paper.id)),
    bin: bin === undefined || holds('bin', asSigned(bin)),
    color: color === undefined || holds('color', color ? COLOR.color : COLOR.mono),
    duplex: !duplex || holds('duplex', DUPLEX[duplex]),
  }
  return (['paper', 'bin', 'color', 'duplex', 'copies'] as const).filter((name) => !checks[name])
}

/** Numbers of a driver's own papers and bins are words without a sign, in fields that have one. */
const asSigned = (word: number) => (word << 16) >> 16
