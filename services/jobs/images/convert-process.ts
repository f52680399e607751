/** The program of the processes of `conversions.ts`. */
import { serveRequests } from '@platen/runtime/process-pool.ts'
import type { Conversion, ConversionRequest } from './conversions.ts'
import { convertImage } from './convert-image.ts'
import { InvalidImage } from './invalid-image.ts'

async function convert({ bytes, sheets }: ConversionRequest): Promise<Conversion> {
  try {
    return { pdf: await convertImage(Buffer.from(bytes), sheets) }
  } catch (error) {
    // Decoders and the writer of the PDF have errors of their own for damaged images.
    return { fault: error instanceof InvalidImage ? error.fault : 'image_damaged' }
  }
}

await serveRequests('conversions', convert)
process.exit(0)
