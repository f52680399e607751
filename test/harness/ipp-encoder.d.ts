/** The part of the package that tests use; it has no types of its own. */
declare module 'ipp-encoder' {
  interface Attribute {
    tag: number
    name: string
    value: unknown
  }
  interface Request {
    version: { major: number; minor: number }
    operationId: number
    requestId: number
    groups: { tag: number; attributes: Attribute[] }[]
  }
  const encoder: {
    request: {
      decode(bytes: Buffer): Request
      encodingLength(message: Request): number
      encode(message: Request, to: Buffer): Buffer
    }
  }
  export default encoder
}
