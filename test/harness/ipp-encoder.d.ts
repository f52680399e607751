/** The part of the package that tests use; it has no types of its own. */
declare module 'ipp-encoder' {
  interface Attribute {
    tag: number
    name: string
    value: unknown
  }
  interface Group {
    tag: number
    attributes: Attribute[]
  }
  interface Decoded {
    version: { major: number; minor: number }
    operationId: number
    requestId: number
    groups: Group[]
  }
  interface Response {
    statusCode: number
    requestId: number
    groups: Group[]
  }
  const encoder: {
    request: { decode(bytes: Buffer): Decoded }
    response: { encodingLength(message: Response): number; encode(message: Response, to: Buffer): Buffer }
  }
  export default encoder
}
