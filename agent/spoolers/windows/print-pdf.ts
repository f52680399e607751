/** Draws a PDF's pages and gives them to the printer's driver, in strips, so that no page is in memory as a whole. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { ignoredOption } from '../ignored-option.ts'
import { SpoolerRefusal, type Submission } from '../spooler.ts'
import { toBitmap } from './bitmap.ts'
import type { DriverOffer } from './device-capabilities.ts'
import { type DevmodeSettings, findRejected, withSettings } from './devmode.ts'
import { type PrintPlan, planOptions } from './options.ts'
import { openPdf, type PdfPages } from './pdf-pages.ts'
import { type Copies, type Placement, type PlacementOptions, placePage, planCopies, selectPages } from './placement.ts'
import type { PagedDocument, Sheet, Winspool } from './winspool.ts'

/** Finer than that nobody sees, and a page takes four times as much of everything at twice of it. */
const DPI_MAX = 600

/** Of pixels in memory, four bytes each, three times while a strip is sent. Also how long other work waits: some tens of milliseconds. */
const STRIP_BYTES = 4 * 1024 * 1024

export interface PdfJob {
  warnings: string[]
  devmode: Uint8Array
  /** Draws it all. */
  drawOn(document: PagedDocument): Promise<void>
  close(): void
}

/**
 * All that can go wrong with the document or the options goes wrong here, before there is a job.
 *
 * @throws SpoolerRefusal for a document without pages that could be printed.
 */
export async function preparePdf(
  winspool: Winspool,
  { file, options, qty, printerOsName }: Pick<Submission, 'file' | 'options' | 'qty' | 'printerOsName'>,
  offer: DriverOffer,
): Promise<PdfJob> {
  const plan = planOptions(options, offer)
  const pdf = await openPdf(file)
  try {
    const pages = selectPages(plan.pages, pdf.count)
    if (pages.length === 0)
      throw new SpoolerRefusal(
        `The document has ${pdf.count} pages, and none of those that the option pages asks for. Nothing was printed.`,
        ['page-ranges-not-in-document'],
      )
    const negotiated = await negotiate(winspool, printerOsName, plan, {
      options,
      qty,
      pages: pages.length,
      most: offer.capabilities.copies ?? 1,
    })
    return {
      warnings: negotiated.warnings,
      devmode: negotiated.devmode,
      drawOn: (document) =>
        draw(document, pdf, pages, negotiated.copies, { ...plan.placement, gray: plan.color === false }),
      close: () => pdf.close(),
    }
  } catch (error) {
    pdf.close()
    throw error
  }
}

/** Asks the driver what it makes of the settings, and does without what it does not take. */
async function negotiate(
  winspool: Winspool,
  printerName: string,
  plan: PrintPlan,
  { options, qty, pages, most }: Pick<Submission, 'options' | 'qty'> & { pages: number; most: number },
) {
  const warnings = [...plan.warnings]
  const { paper, bin, color, duplex } = plan
  const start = await winspool.devmode(printerName)
  const ask = async (settings: DevmodeSettings) => {
    const devmode = await winspool.mergeDevmode(printerName, withSettings(start, settings))
    return { devmode, refused: findRejected(settings, devmode) }
  }
  const setsWith = (mostByDriver: number) =>
    planCopies(pages, {
      qty,
      copies: plan.copies,
      most: mostByDriver,
      duplex: duplex !== undefined && duplex !== 'one-sided',
    })

  let copies = setsWith(most)
  let answer = await ask({ copies: copies.byDriver, paper, bin, color, duplex })
  if (answer.refused.includes('copies')) {
    copies = setsWith(1)
    answer = await ask({ copies: copies.byDriver, paper, bin, color, duplex })
  }
  for (const name of answer.refused)
    if (name !== 'copies') warnings.push(ignoredOption(name, options[name], "the printer's driver did not take it"))
  return { warnings, devmode: answer.devmode, copies }
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
  at: Placement,
  gray: boolean,
): Promise<void> {
  const { sheet } = document
  const scale = getScale(sheet)
  const picture = {
    pageWidth: Math.ceil(at.width / scale),
    pageHeight: Math.ceil(at.height / scale),
    turn: at.turn,
    gray,
  }
  // What lies on the sheet of it, in pixels of the picture.
  const left = Math.max(0, Math.floor(-at.x / scale))
  const right = Math.min(picture.pageWidth, Math.ceil((sheet.printable.width - at.x) / scale))
  const top = Math.max(0, Math.floor(-at.y / scale))
  const bottom = Math.min(picture.pageHeight, Math.ceil((sheet.printable.height - at.y) / scale))
  const width = right - left
  if (width <= 0) return
  const stripHeight = Math.max(1, Math.floor(STRIP_BYTES / 4 / width))
  for (let y = top; y < bottom; y += stripHeight) {
    const height = Math.min(stripHeight, bottom - y)
    const bitmap = toBitmap(pdf.render(page, { ...picture, part: { x: left, y, width, height } }), width, height)
    if (bitmap)
      await document.paint(
        {
          x: at.x + left * scale,
          y: at.y + y * scale,
          width: width * scale,
          height: height * scale,
        },
        bitmap,
      )
    await yieldToEventLoop()
  }
}

/** How many pixels of the printer one drawn pixel covers, each way. */
const getScale = ({ dpiX, dpiY }: Sheet) => Math.max(1, Math.ceil(Math.max(dpiX, dpiY) / DPI_MAX))
