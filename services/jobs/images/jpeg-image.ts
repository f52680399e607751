/** A JPEG with four colours as an image of pdfkit, which takes all of them for inverted. Programs that do not write the mark of Adobe do not invert. */

/** @param jpeg without the mark of Adobe. @param label unique in the document. */
export const createJpegImage = (jpeg: Buffer, label: string, { width, height }: { width: number; height: number }) => ({
  label,
  width,
  height,
  obj: undefined as PDFKit.PDFKitReference | undefined,
  embed(pdf: PDFKit.PDFDocument): void {
    this.obj = pdf.ref({
      Type: 'XObject',
      Subtype: 'Image',
      Width: width,
      Height: height,
      BitsPerComponent: 8,
      ColorSpace: 'DeviceCMYK',
      Filter: 'DCTDecode',
    })
    this.obj.end(jpeg)
  },
})
