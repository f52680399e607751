import type { Warning } from '@platen/preview/display-list.ts'
import { recognize } from '@platen/resources/document-format.ts'
import { PREVIEW_MAX_BYTES } from '@platen/resources/limits.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { z } from 'zod'
import { LARGE, operation } from '../../operation/operation.ts'
import { createPreviews, DRAWING_TIMEOUT_MS } from '../../previews/previews.ts'
import { receiveDocument } from '../../print-jobs/upload/receive-print-job.ts'
import { parseRequest } from '../../request/invalid-request.ts'
import { requireJsonOrForm } from '../../request/json-body.ts'
import { jsonBody } from '../../request/json-body-schema.ts'

const SVG = 'image/svg+xml'

/** A number, which a form has as text. */
const measure = (min: number, max: number) =>
  z.preprocess(
    (value) => (typeof value === 'string' && /^\d{1,6}(\.\d{1,3})?$/.test(value) ? Number(value) : value),
    z
      .number(`must be a number from ${min} to ${max}`)
      .min(min, `must be at least ${min}`)
      .max(max, `must be at most ${max}`),
  )

const FIELDS = {
  language: z.enum(['zpl', 'escpos'], 'must be `zpl` or `escpos`').optional().meta({
    description: 'The language of the document. Without it, the language that the document begins in.',
    example: 'zpl',
  }),
  dpi: measure(100, 600)
    .optional()
    .meta({ description: 'The resolution of the printer, 203 by default.', example: 203 }),
  widthMm: measure(5, 1_000).optional().meta({
    description:
      'The printed width. Without it, that in the document, else 101.6 mm for labels and 72 mm for receipts.',
    example: 101.6,
  }),
  heightMm: measure(5, 2_500).optional().meta({
    description:
      'The length of a label. Without it, that in the document, else 152.4 mm, or more for a longer label. Receipts are as long as their content.',
    example: 152.4,
  }),
}

const PREVIEW_REQUEST = jsonBody({
  contentType: z
    .literal(
      'raw_base64',
      'must be `raw_base64`, of a form `raw`: only labels in ZPL and receipts in ESC/POS are drawn',
    )
    .meta({
      description: 'Raw data for the printer as base64.',
      example: 'raw_base64',
    }),
  content: z
    .string('must be base64 text')
    .min(1, 'must not be empty')
    .meta({
      description: 'The document: standard base64 of at most 1 MB decoded.',
      example: Buffer.from('^XA^FO50,50^A0N,50,50^FDPlaten^FS^XZ').toString('base64'),
    }),
  ...FIELDS,
}).meta({ id: 'PreviewRequest', description: 'A label or receipt, and the paper in the printer.' })

const PREVIEW_FORM = z
  .strictObject({
    file: z.string().meta({ description: 'The document, at most 1 MB.', format: 'binary' }),
    contentType: z.literal('raw').optional().meta({ description: 'Format of `file`.' }),
    ...FIELDS,
  })
  .meta({ id: 'PreviewForm', description: 'A label or receipt as a form.' })

const PREVIEW = z
  .object({
    language: z
      .enum(['zpl', 'escpos'])
      .meta({ description: 'The language that the document was drawn as.', example: 'zpl' }),
    pages: z
      .array(
        z
          .object({
            svg: z.string().meta({
              description:
                'The picture as an SVG document, without scripts and links. Its units are dots of the printer.',
              example: '<svg xmlns="http://www.w3.org/2000/svg" …></svg>',
            }),
            widthMm: z.number().meta({ description: 'The width of the page.', example: 101.5 }),
            heightMm: z.number().meta({ description: 'The length of the page.', example: 152.38 }),
            warnings: z
              .array(
                z
                  .object({
                    offset: z
                      .int()
                      .meta({ description: 'The position of the command in the document, in bytes.', example: 120 }),
                    message: z.string().meta({
                      description: 'A sentence about the part that the picture does not show.',
                      example: 'Unknown command "^QQ".',
                    }),
                  })
                  .meta({
                    id: 'PreviewWarning',
                    description: 'A part of the document that the picture does not show.',
                  }),
              )
              .meta({
                description:
                  'The parts of the document that the picture does not show. The first label has those of all labels.',
              }),
            events: z
              .array(
                z
                  .object({
                    kind: z.enum(['cut', 'drawer', 'buzzer']).meta({ description: 'The action.', example: 'cut' }),
                    atMm: z
                      .number()
                      .meta({ description: 'The length of paper that was fed before the action.', example: 80 }),
                  })
                  .meta({ id: 'PreviewEvent', description: 'An action of a receipt printer beside printing.' }),
              )
              .meta({ description: 'The actions of a receipt printer beside printing; empty for labels.' }),
          })
          .meta({ id: 'PreviewPage', description: 'One label, or a receipt.' }),
      )
      .meta({ description: 'The labels in their order, or one receipt.' }),
  })
  .meta({ id: 'Preview', description: 'The pictures of a document.' })

const DRAWN: unknown[] = ['ZPL', 'ESC/POS']

/** A document in another language is drawn as a receipt, which it is not. */
function warnOfLanguage(document: Uint8Array): Warning[] {
  const { name, format } = recognize(document)
  const isOther = name !== undefined && format !== undefined && !DRAWN.includes(name)
  return isOther ? [{ offset: 0, message: `The document looks like ${name}, which is not drawn.` }] : []
}

/** Reads the document as a print job does, but holds it, because it is small. Nothing is stored. */
export const createPreview = operation({
  operationId: 'createPreview',
  method: 'post',
  path: '/v1/previews',
  scope: 'read',
  tag: 'Previews',
  summary: 'Draw a label or receipt',
  description: `Draws what a printer would print of a document in ZPL II or ESC/POS, without printing or storing it. The body is JSON or a form, as for a print job: \`curl -F file=@label.zpl …\`.

The response has one SVG document per label. With \`Accept: image/svg+xml\` it is the SVG of the first page alone.

Bar codes have the data, the modules and the position that the printer gives them. Text has its widths; the shapes of its letters are similar. Commands that the picture does not show are in \`warnings\`. A picture that takes more than ${DRAWING_TIMEOUT_MS / 1_000} s ends with a warning.`,
  body: PREVIEW_REQUEST,
  form: PREVIEW_FORM,
  bodyIsStreamed: true,
  units: LARGE,
  answer: { status: 200, description: 'The pictures, or the first one as SVG.', schema: PREVIEW, acceptableType: SVG },
  errors: ['invalid_content'],
  before: () => [requireJsonOrForm],
  handle: () => {
    const draw = createPreviews()
    return async ({ ctx, tenant }) => {
      const received = await receiveDocument(ctx, PREVIEW_MAX_BYTES)
      const { contentType, content: _, language, ...paper } = parseRequest(PREVIEW_REQUEST, received.fields(), 'field')
      received.checkedDocument(contentType)
      const options = { language, paper, timeoutMs: DRAWING_TIMEOUT_MS }
      const preview = await draw(tenant.organizationId, { document: received.content, options })
      if (!preview)
        throw new ApiError(
          'invalid_content',
          'The document needs too much time or memory to be drawn. Send a part of it.',
        )
      if (language === undefined) preview.pages[0]?.warnings.unshift(...warnOfLanguage(received.content))
      if (ctx.accepts('application/json', SVG) !== SVG) return preview
      ctx.type = SVG
      // The SVG contains text of the document. It must not run as a page of this host.
      ctx.set('Content-Security-Policy', "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox")
      return preview.pages[0]?.svg
    }
  },
})
