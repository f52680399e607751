/**
 * The state of a label printer while it reads a document: that of the printer lasts over labels, that of a label until
 * `^XZ`, and that of a field until `^FS`. Commands change it; `interpret.ts` calls them.
 */
import type { Bitmap } from '../bitmap.ts'
import { type Budget, BudgetExceeded, PAGES_MAX, SIDE_MAX_DOTS, WARNINGS_MAX } from '../budget.ts'
import { Canvas } from '../canvas.ts'
import { type Page, toDotsPerMm, type Warning } from '../display-list.ts'
import type { Paper } from '../preview.ts'
import type { BarDefaults } from './draw-symbol.ts'
import { type Content, drawField, type Field, type FieldData } from './fields.ts'
import type { Font } from './fonts.ts'
import { decodeGraphic } from './graphic-data.ts'
import type { Orientation, Parameters } from './parameters.ts'
import { findOverlap, type Placed } from './placement.ts'
import type { Block } from './text.ts'
import type { Command, Syntax } from './tokenize.ts'

/** Formats that contain formats. */
const FORMATS_MAX_DEPTH = 4
/** The label of most carriers, 4 by 6 inches. */
const DEFAULT_WIDTH_MM = 101.6
const DEFAULT_HEIGHT_MM = 152.4

export const GRAPHIC_MAX_BYTES = 4_000_000

interface Label {
  fields: Field[]
  /** Values by the number of `^FN`. */
  values: Map<number, FieldData>
  /** The name of `^DF`, while the commands of the label are stored. */
  stores?: { name: string; commands: Command[] }
  offset: number
}

export type Handler = (printer: Printer, parameters: Parameters, command: Command) => void

export class Printer {
  readonly pages: Page[] = []
  readonly warnings = new Map<string, Warning>()
  readonly paper: Paper
  readonly syntax: Syntax
  readonly budget: Budget

  // The font of the printer.
  font: Font = { name: 'A', height: 9, width: 5 }
  characterSet = 0
  by: BarDefaults = { module: 2, ratio: 3, height: 10 }
  orientation: Orientation = 'N'
  right = false
  width: number | undefined
  length: number | undefined
  home = { x: 0, y: 0 }
  top = 0
  shift = 0
  reverseAll = false
  inverted = false
  mirrored = false
  keepsLabel = false
  doubled = false
  /** `^MNN`: without gaps or marks, the label ends where ^LL says. */
  continuous = false
  dotsPerUnit = 1
  readonly aliases = new Map<string, string>()
  readonly formats = new Map<string, Command[]>()
  readonly graphics = new Map<string, Bitmap>()

  label: Label | undefined
  field: FieldState = newFieldState()
  #kept: Field[] = []
  #depth = 0

  readonly #execute: (command: Command) => void

  /** @param execute runs a command of a stored format. */
  constructor(paper: Paper, budget: Budget, syntax: Syntax, execute: (command: Command) => void) {
    this.paper = paper
    this.budget = budget
    this.syntax = syntax
    this.#execute = execute
  }

  warn(offset: number, message: string): void {
    if (this.warnings.size < WARNINGS_MAX && !this.warnings.has(message))
      this.warnings.set(message, { offset, message })
  }

  get dotsPerMm(): number {
    return toDotsPerMm(this.paper.dpi) / (this.doubled ? 2 : 1)
  }

  /** Completes the field and puts it on the label. */
  endField(): void {
    const state = this.field
    this.field = newFieldState()
    const { label } = this
    if (!label) return
    if (state.number !== undefined && state.data && !state.positioned && !state.graphic) {
      label.values.set(state.number, state.data)
      return
    }
    const content = state.graphic ?? this.#toContent(state)
    if (!state.data && !state.graphic && state.number === undefined) return
    label.fields.push({
      offset: state.offset,
      x: this.home.x + state.x - this.shift,
      y: this.home.y + this.top + state.y,
      typeset: state.typeset,
      automatic: state.automatic,
      positioned: state.positioned,
      right: state.right ?? this.right,
      orientation: state.orientation ?? this.orientation,
      reverse: state.reverse || this.reverseAll,
      content,
      data: state.data,
      number: state.number,
    })
  }

  #toContent(state: FieldState): Content {
    if (state.barCode) return { kind: 'barCode', ...state.barCode }
    if (state.symbol) return { kind: 'symbol', ...state.symbol }
    const { block, textBlockHeight, gap } = state
    return { kind: 'text', font: state.font ?? this.font, block, textBlockHeight, gap }
  }

  endLabel(): void {
    const { label } = this
    this.label = undefined
    this.field = newFieldState()
    if (!label) return
    if (label.stores) {
      this.formats.set(label.stores.name, label.stores.commands)
      return
    }
    const fields = [...this.#kept, ...label.fields]
    this.#kept = this.keepsLabel ? fields : []
    if (fields.length === 0) return
    const canvas = new Canvas(this.budget)
    const placed: Placed[] = []
    const context = { canvas, dotsPerMm: this.dotsPerMm, end: { x: 0, y: 0 }, placed, warn: this.warn.bind(this) }
    try {
      for (const field of fields) {
        const data = field.data ?? (field.number === undefined ? undefined : label.values.get(field.number))
        drawField(context, field, data)
      }
    } finally {
      this.addPage(canvas, placed)
    }
  }

  addPage(canvas: Canvas, placed: Placed[] = []): void {
    if (this.pages.length >= PAGES_MAX) throw new BudgetExceeded('labels')
    const { dotsPerMm } = this
    const width = clampSide(this.width ?? (this.paper.widthMm ?? DEFAULT_WIDTH_MM) * dotsPerMm)
    const length =
      this.paper.heightMm === undefined
        ? (this.length ?? DEFAULT_HEIGHT_MM * dotsPerMm)
        : this.paper.heightMm * dotsPerMm
    // Printers that find the gap between labels print beyond ^LL.
    const isFixed = this.paper.heightMm !== undefined || (this.continuous && this.length !== undefined)
    const height = clampSide(isFixed ? length : Math.max(length, ...placed.map(({ bottom }) => bottom)))
    for (const field of placed) {
      const overlap = findOverlap(field, width, height)
      if (overlap) this.warn(field.offset, overlap)
    }
    for (const char of canvas.missing)
      this.warn(
        placed[0]?.offset ?? 0,
        `The font of the picture has no character ${JSON.stringify(char)}, and printers may have none.`,
      )
    if (this.inverted) canvas.transform([-1, 0, 0, -1, width, height])
    if (this.mirrored) canvas.transform([-1, 0, 0, 1, width, 0])
    this.pages.push({
      widthMm: width / dotsPerMm,
      heightMm: height / dotsPerMm,
      dpi: this.paper.dpi,
      width,
      height,
      items: canvas.items,
      events: [],
      lines: [],
      warnings: [],
    })
  }

  /** `^XF`: runs the commands of a stored format. */
  useFormat(name: string, offset: number): void {
    const commands = this.formats.get(name)
    if (!commands || this.#depth >= FORMATS_MAX_DEPTH) {
      const reason = commands ? 'contains itself' : 'is not in the document'
      this.warn(offset, `The format ${name} of ^XF ${reason}.`)
      return
    }
    this.#depth++
    try {
      for (const command of commands) this.#execute(command)
    } finally {
      this.#depth--
    }
  }

  /** @returns the graphic with the bytes, unless it has no size. */
  toBitmap(data: string, totalBytes: number, rowBytes: number, offset: number): Bitmap | undefined {
    const total = Math.min(totalBytes, GRAPHIC_MAX_BYTES)
    if (!(rowBytes > 0) || !(total > 0) || rowBytes * 8 > SIDE_MAX_DOTS) {
      this.warn(offset, 'The graphic has no size, or is too large.')
      return undefined
    }
    this.budget.spendBitmap(total)
    const { bytes, fault } = decodeGraphic(data, rowBytes, total)
    if (fault) this.warn(offset, fault)
    const height = Math.min(SIDE_MAX_DOTS, Math.ceil(Math.min(total, bytes.length) / rowBytes))
    return { width: rowBytes * 8, height, bits: bytes.subarray(0, height * rowBytes) }
  }
}

const clampSide = (dots: number): number => Math.min(SIDE_MAX_DOTS, Math.max(1, Math.round(dots)))

/** What the commands since the last `^FS` have set. */
interface FieldState {
  offset: number
  x: number
  y: number
  typeset: boolean
  automatic: boolean
  positioned: boolean
  right?: boolean
  orientation?: Orientation
  reverse: boolean
  font?: Font
  block?: Block
  textBlockHeight?: number
  gap: number
  hexIndicator?: string
  data?: FieldData
  number?: number
  barCode?: { letter: string; parameters: Parameters; by: BarDefaults }
  symbol?: { height: number; width: number }
  graphic?: Content
}

export const newFieldState = (): FieldState => ({
  offset: 0,
  x: 0,
  y: 0,
  typeset: false,
  automatic: false,
  positioned: false,
  reverse: false,
  gap: 0,
})

/** @returns the name of a stored object with its drive and extension, as printers complete it. */
export function toObjectName(text: string, extension: string): string {
  const name = text.trim().toUpperCase()
  const withDrive = /^[A-Z]:/.test(name) ? name : `R:${name}`
  return withDrive.includes('.') ? withDrive : `${withDrive}.${extension}`
}
