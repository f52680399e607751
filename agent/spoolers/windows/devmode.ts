/**
 * Reads and writes the fields of a DEVMODEW that print options use. The private part of the driver is unchanged. Pure.
 */

export interface PaperSetting {
  /** DMPAPER_…. */
  id: number
  /** Tenths of a millimetre, for a custom paper. */
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

/** Stands for a custom paper. In DC_PAPERS: the driver supports custom papers. */
export const DMPAPER_USER = 256

/** The maximum of dmPaperWidth and dmPaperLength, in tenths of a millimetre. */
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

/**
 * @returns a copy of the DEVMODEW with the settings. The orientation is always portrait, because the agent rotates the
 *   pages.
 */
export function applySettings(devmode: Uint8Array, { copies, paper, bin, color, duplex }: DevmodeSettings): Buffer {
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
    set('paperSize', FIELD.paperSize, toInt16(paper.id))
    if (paper.size) {
      set('paperWidth', FIELD.paperWidth, paper.size.width)
      set('paperLength', FIELD.paperLength, paper.size.height)
    }
  }
  if (bin !== undefined) set('bin', FIELD.bin, toInt16(bin))
  if (color !== undefined) set('color', FIELD.color, color ? COLOR.color : COLOR.mono)
  if (duplex) set('duplex', FIELD.duplex, DUPLEX[duplex])
  settings.writeUInt32LE(fields >>> 0, OFFSET.fields)
  return settings
}

/** Whether the driver prints on both sides. */
export function isDuplex(devmode: Uint8Array): boolean {
  const settings = Buffer.from(devmode)
  const isSet = (settings.readUInt32LE(OFFSET.fields) & FIELD.duplex) !== 0
  return isSet && settings.readInt16LE(OFFSET.duplex) !== DUPLEX['one-sided']
}

/** @returns the options that the driver did not keep. Some drivers change settings without an error. */
export function findRejected(
  requested: DevmodeSettings,
  devmode: Uint8Array,
): ('paper' | 'bin' | 'color' | 'duplex' | 'copies')[] {
  const merged = Buffer.from(devmode)
  const hasValue = (name: keyof typeof OFFSET, value: number) => merged.readInt16LE(OFFSET[name]) === value
  const { copies, paper, bin, color, duplex } = requested
  const checks = {
    copies: hasValue('copies', copies),
    paper: !paper || hasValue('paperSize', toInt16(paper.id)),
    bin: bin === undefined || hasValue('bin', toInt16(bin)),
    color: color === undefined || hasValue('color', color ? COLOR.color : COLOR.mono),
    duplex: !duplex || hasValue('duplex', DUPLEX[duplex]),
  }
  return (['paper', 'bin', 'color', 'duplex', 'copies'] as const).filter((name) => !checks[name])
}

/** Ids of papers and bins are unsigned, but their fields are signed. */
const toInt16 = (uint16: number) => (uint16 << 16) >> 16
