/** Documents for a first print. */
import { SAMPLE_LABEL, SAMPLE_LETTER, SAMPLE_RECEIPT } from '@platen/resources/test-documents/samples.ts'
import type { LocalDocument } from '../../api/new-job.ts'

export interface Sample extends LocalDocument {
  label: string
  title: string
  description: string
  /** The virtual printer of test mode that takes it. */
  printerName: string
}

const encoder = new TextEncoder()

export const SAMPLES: Sample[] = [
  {
    label: 'Letter',
    title: 'Sample letter',
    description: 'A PDF on A4',
    printerName: 'Test A4 Laser',
    name: 'letter.pdf',
    bytes: encoder.encode(SAMPLE_LETTER),
  },
  {
    label: 'Label',
    title: 'Sample label',
    description: 'ZPL for a 4x6 inch label',
    printerName: 'Test Label 4x6',
    name: 'label.zpl',
    bytes: encoder.encode(SAMPLE_LABEL),
  },
  {
    label: 'Receipt',
    title: 'Sample receipt',
    description: 'ESC/POS for an 80 mm roll',
    printerName: 'Test Receipt 80mm',
    name: 'receipt.bin',
    bytes: encoder.encode(SAMPLE_RECEIPT),
  },
]
