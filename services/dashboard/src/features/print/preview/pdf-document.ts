/**
 * A PDF in workers of its own. One worker parses, the other draws, so a hostile document cannot block the page. Work
 * that takes too long ends with its workers. Annotations, links, forms and scripts are not drawn.
 */
import { AnnotationMode, GlobalWorkerOptions, getDocument, type PDFDocumentProxy, PDFWorker, version } from 'pdfjs-dist'
import rendererUrl from 'pdfjs-dist/build/pdf.renderer.min.mjs?url'
import parserUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url'
import type { Box, Page, Placement, Size } from './sheets.ts'

/** For opening the document, and for each side of a sheet. */
const WORK_MS = 10_000
/**
 * Pixels of one image of the document. Canvases have the size of the sheet, which `EDGE_PIXELS` limits, and not that of
 * the page.
 */
const PIXELS_MAX = 64_000_000
/** The pages whose sizes are compared with the sheet. Each one is a message of the worker. */
const PAGES_MAX = 1_000
/** Pixels of the longer edge of a drawn sheet. */
const EDGE_PIXELS = 1_200
const POINTS_PER_INCH = 72
/**
 * Fonts, character maps and decoders that `build/pdf-files.ts` writes. Workers load them when a document needs them.
 */
const FILES = `${location.origin}${import.meta.env.BASE_URL}assets/pdfjs-${version}/`

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string }
}

/** Only the two files can become workers. */
const policy = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy('platen-worker', {
  createScriptURL(url) {
    if (url !== parserUrl && url !== rendererUrl) throw new TypeError(`not a worker: ${url}`)
    return url
  },
})

const createWorker = (url: string) => new Worker(policy?.createScriptURL(url) ?? url, { type: 'module' })

/** The preview ended because of a limit. */
export class PreviewStopped extends Error {
  override readonly name = 'PreviewStopped'
}

export class PdfDocument {
  readonly #workers = [createWorker(parserUrl), createWorker(rendererUrl)] as const
  readonly #stopped = Promise.withResolvers<never>()
  #document: PDFDocumentProxy | undefined

  private constructor() {
    // Rejected also when no work waits for it.
    this.#stopped.promise.catch(() => undefined)
  }

  /** @throws PreviewStopped, or an Error of pdf.js for a document that is damaged or has a password. */
  static async open(bytes: Uint8Array): Promise<PdfDocument> {
    const pdf = new PdfDocument()
    try {
      await pdf.#open(bytes)
      return pdf
    } catch (error) {
      pdf.close()
      throw error
    }
  }

  async #open(bytes: Uint8Array): Promise<void> {
    const [parser, renderer] = this.#workers
    GlobalWorkerOptions.rendererPorts = [renderer]
    const task = getDocument({
      // The bytes move to the worker, and the page still shows them.
      data: bytes.slice(),
      worker: PDFWorker.create({ port: parser as never, verbosity: 0 }),
      verbosity: 0,
      cMapUrl: `${FILES}cmaps/`,
      iccUrl: `${FILES}iccs/`,
      standardFontDataUrl: `${FILES}standard_fonts/`,
      wasmUrl: `${FILES}wasm/`,
      maxImageSize: PIXELS_MAX,
      canvasMaxAreaInBytes: PIXELS_MAX * 4,
      // Draws the glyphs itself, so that fonts of the document do not become fonts of the page.
      disableFontFace: true,
    })
    this.#document = await this.#limit(task.promise)
  }

  get pageCount(): number {
    return this.#document?.numPages ?? 0
  }

  /** @throws PreviewStopped */
  async getPages(): Promise<Page[]> {
    const count = Math.min(this.pageCount, PAGES_MAX)
    return await this.#limit(Promise.all(Array.from({ length: count }, (_, index) => this.#measure(index + 1))))
  }

  async #measure(number: number): Promise<Page> {
    const page = await this.#getPage(number)
    const { width, height } = page.getViewport({ scale: 1 })
    return { width, height, rotate: page.rotate }
  }

  /**
   * Draws one side of a sheet.
   *
   * @param pages their numbers. @param sheet its size as it is read. @param toPlacement of the page with an index of
   *   `pages`.
   * @param dpi of the drawn sheet; undefined for one that fits the screen.
   * @returns the areas of images in pixels, if `dpi` is given.
   * @throws PreviewStopped
   */
  async draw(
    canvas: HTMLCanvasElement,
    pages: number[],
    sheet: Size,
    toPlacement: (page: Page, index: number) => Placement,
    dpi?: number,
  ): Promise<Box[]> {
    const pixelsPerPoint = dpi ? dpi / POINTS_PER_INCH : EDGE_PIXELS / Math.max(sheet.width, sheet.height)
    const images: Box[] = []
    const toPixels = (points: number) => Math.max(1, Math.round(points * pixelsPerPoint))
    canvas.width = toPixels(sheet.width)
    canvas.height = toPixels(sheet.height)
    const context = canvas.getContext('2d')
    if (!context) throw new PreviewStopped('The browser offers no canvas.')
    context.fillStyle = '#fff'
    context.fillRect(0, 0, canvas.width, canvas.height)
    await this.#limit(
      (async () => {
        for (const [index, number] of pages.entries()) {
          const { clip, x, y, rotation, scale } = toPlacement(await this.#measure(number), index)
          const part = document.createElement('canvas')
          part.width = toPixels(clip.width)
          part.height = toPixels(clip.height)
          const page = await this.#getPage(number)
          const viewport = page.getViewport({
            scale: scale * pixelsPerPoint,
            rotation: (page.rotate + rotation) % 360,
            offsetX: (x - clip.x) * pixelsPerPoint,
            offsetY: (y - clip.y) * pixelsPerPoint,
          })
          await page.render({
            ...{ canvas: part, viewport, annotationMode: AnnotationMode.DISABLE, intent: 'print' },
            recordImages: dpi !== undefined,
          }).promise
          const corner = { x: clip.x * pixelsPerPoint, y: clip.y * pixelsPerPoint }
          context.drawImage(part, corner.x, corner.y)
          images.push(...toAreas(page.imageCoordinates, part, corner))
          page.cleanup()
        }
      })(),
    )
    return images
  }

  /** Ends all work. */
  close(): void {
    this.#stop('The preview was closed.')
  }

  async #getPage(number: number) {
    if (!this.#document) throw new PreviewStopped('The document is not open.')
    return await this.#limit(this.#document.getPage(number))
  }

  async #limit<Result>(work: Promise<Result>): Promise<Result> {
    const timer = setTimeout(
      () => this.#stop(`The document needs more than ${WORK_MS / 1000} s, so the preview was stopped.`),
      WORK_MS,
    )
    // It can fail after the preview was stopped.
    work.catch(() => undefined)
    return await Promise.race([work, this.#stopped.promise]).finally(() => clearTimeout(timer))
  }

  #stop(reason: string): void {
    for (const worker of this.#workers) worker.terminate()
    this.#stopped.reject(new PreviewStopped(reason))
  }
}

/**
 * @param coordinates three corners of each image, relative to the canvas.
 * @param corner of the canvas on the sheet, in pixels.
 */
function toAreas(coordinates: ArrayLike<number> | null, canvas: Size, corner: { x: number; y: number }): Box[] {
  return Array.from({ length: (coordinates?.length ?? 0) / 6 }, (_, index) => {
    const [ax = 0, ay = 0, bx = 0, by = 0, cx = 0, cy = 0] = Array.from(coordinates ?? []).slice(
      index * 6,
      index * 6 + 6,
    )
    const across = [ax, bx, cx, bx + cx - ax].map((x) => corner.x + x * canvas.width)
    const down = [ay, by, cy, by + cy - ay].map((y) => corner.y + y * canvas.height)
    const [x, y] = [Math.floor(Math.min(...across)), Math.floor(Math.min(...down))]
    return { x, y, width: Math.ceil(Math.max(...across)) - x, height: Math.ceil(Math.max(...down)) - y }
  })
}
