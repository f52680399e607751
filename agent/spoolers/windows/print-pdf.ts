/** Renders pages of a PDF and sends them to the driver in strips, so that no complete page is in memory. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { ignoredOption } from '../ignored-option.ts'
import { openPdf, type PdfPages } from '../pdf/pages.ts'
import {
  type Copies,
  type Placement,
  type PlacementOptions,
  placePage,
  planCopies,
  type Sheet,
  selectPages,
} from '../pdf/placement.ts'
import type { Submission } from '../spooler.ts'
import { toBitmap } from './bitmap.ts'
import type { DriverOffer } from './device-capabilities.ts'
import { applySettings, type DevmodeSettings, findRejected, isDuplex } from './devmode.ts'
import { type PrintPlan, planOptions } from './options.ts'
import type { PagedDocument, Winspool } from './winspool.ts'

/** A higher resolution is not visible, and twice the resolution needs four times the memory and time. */
const DPI_MAX = 600

/**
 * Four bytes per pixel. Up to three copies are in memory while a strip is sent. Other work waits some tens of
 * milliseconds per strip.
 */
const STRIP_BYTES = 4 * 1024 * 1024

export interface PdfJob {
  warnings: string[]
  devmode: Uint8Array
  /** Prints all pages and sets. */
  printOn(document: PagedDocument): Promise<void>
}

/**
 * Checks the document and the options before a job is created.
 *
 * @throws SpoolerRefusal for a damaged document, or one without the selected pages.
 */
export async function preparePdf(
  winspool: Winspool,
  { file, options, qty, printerOsName }: Pick<Submission, 'file' | 'options' | 'qty' | 'printerOsName'>,
  offer: DriverOffer,
): Promise<PdfJob> {
  const plan = planOptions(options, offer)
  const pdf = await openPdf(file)
  const { indexes, warnings } = selectPages(plan.pages, pdf.count)
  const negotiated = await negotiate(winspool, printerOsName, plan, {
    options,
    qty,
    pages: indexes.length,
    maximum: offer.capabilities.copies ?? 1,
  })
  return {
    warnings: [...warnings, ...negotiated.warnings],
    devmode: negotiated.devmode,
    printOn: (document) =>
      draw(document, pdf, indexes, negotiated.copies, { ...plan.placement, gray: plan.color === false }),
  }
}

/** Requests the settings from the driver, and drops the settings that it does not accept. */
async function negotiate(
  winspool: Winspool,
  printerName: string,
  plan: PrintPlan,
  { options, qty, pages, maximum }: Pick<Submission, 'options' | 'qty'> & { pages: number; maximum: number },
) {
  const warnings = [...plan.warnings]
  const { paper, bin, color, duplex } = plan
  const defaults = await winspool.devmode(printerName)
  const request = async (settings: DevmodeSettings) => {
    const devmode = await winspool.mergeDevmode(printerName, applySettings(defaults, settings))
    return { devmode, rejected: findRejected(settings, devmode) }
  }
  const planWith = (maximumByDriver: number) =>
    planCopies(pages, {
      qty,
      copies: plan.copies,
      maximum: maximumByDriver,
      duplex: duplex ? duplex !== 'one-sided' : isDuplex(defaults),
    })

  let copies = planWith(maximum)
  let result = await request({ copies: copies.byDriver, paper, bin, color, duplex })
  if (result.rejected.includes('copies')) {
    copies = planWith(1)
    result = await request({ copies: copies.byDriver, paper, bin, color, duplex })
  }
  for (const name of result.rejected)
    if (name !== 'copies') warnings.push(ignoredOption(name, options[name], 'the driver of the printer rejected it'))
  return { warnings, devmode: result.devmode, copies }
}

async function draw(
  document: PagedDocument,
  pdf: PdfPages,
  pages: number[],
  { sets, blankBetween }: Copies,
  options: PlacementOptions & { gray: boolean },
): Promise<void> {
  for (let set = 1; set <= sets; set++) {
    for (const page of pages) {
      await document.startPage()
      await drawPage(document, pdf, page, placePage(pdf.getSize(page), document.sheet, options), options.gray)
      await document.endPage()
    }
    if (!blankBetween || set === sets) continue
    await document.startPage()
    await document.endPage()
  }
}

async function drawPage(
  document: PagedDocument,
  pdf: PdfPages,
  page: number,
  placement: Placement,
  gray: boolean,
): Promise<void> {
  const { sheet } = document
  const scale = getScale(sheet)
  const view = {
    pageWidth: Math.ceil(placement.width / scale),
    pageHeight: Math.ceil(placement.height / scale),
    quarterTurns: placement.quarterTurns,
    gray,
  }
  // The part of the page on the printable area, in rendered pixels.
  const left = Math.max(0, Math.floor(-placement.x / scale))
  const right = Math.min(view.pageWidth, Math.ceil((sheet.printable.width - placement.x) / scale))
  const top = Math.max(0, Math.floor(-placement.y / scale))
  const bottom = Math.min(view.pageHeight, Math.ceil((sheet.printable.height - placement.y) / scale))
  const width = right - left
  if (width <= 0) return
  const stripHeight = Math.max(1, Math.floor(STRIP_BYTES / 4 / width))
  for (let y = top; y < bottom; y += stripHeight) {
    const height = Math.min(stripHeight, bottom - y)
    const bitmap = toBitmap(pdf.render(page, { ...view, part: { x: left, y, width, height } }), width, height)
    if (bitmap)
      await document.paint(
        {
          x: placement.x + left * scale,
          y: placement.y + y * scale,
          width: width * scale,
          height: height * scale,
        },
        bitmap,
      )
    await yieldToEventLoop()
  }
}

/** The number of printer pixels per rendered pixel in each direction. */
const getScale = ({ dpiX, dpiY }: Sheet) => Math.max(1, Math.ceil(Math.max(dpiX, dpiY) / DPI_MAX))
