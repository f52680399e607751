/** An image whose data are embedded as they are. `image` of pdfkit decodes others itself. */
interface PdfImage {
  /** Unique in the document. */
  label: string
  width: number
  height: number
  data: Buffer
  /** Further entries of its dictionary: colours and filter. */
  getEntries(pdf: PDFKit.PDFDocument): object
}

/** @returns an image of pdfkit. */
export const createPdfImage = ({ label, width, height, data, getEntries }: PdfImage) => ({
  label,
  width,
  height,
  obj: undefined as PDFKit.PDFKitReference | undefined,
  embed(pdf: PDFKit.PDFDocument): void {
    this.obj = pdf.ref({ Type: 'XObject', Subtype: 'Image', Width: width, Height: height, ...getEntries(pdf) })
    this.obj.end(data)
  },
})
