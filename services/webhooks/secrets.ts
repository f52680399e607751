/** The secrets that sign deliveries (Standard Webhooks, "Signature scheme"). Reference: docs/reference/webhooks.md#secrets. */
import { randomBytes } from 'node:crypto'

const SECRET_BYTES = 24

/** `whsec_` and base64: the whole text is what people keep and what is sealed; the bytes behind the base64 are the key. */
export const makeSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`
