export type ImageFault = 'image_damaged' | 'image_pixels' | 'image_pdf_too_large'

export class InvalidImage extends Error {
  readonly fault: ImageFault

  constructor(fault: ImageFault, cause?: unknown) {
    super(`invalid image: ${fault}`, { cause })
    this.fault = fault
  }
}
