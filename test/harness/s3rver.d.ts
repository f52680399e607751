/** Types for `s3-server.ts`, because the package has none. */
declare module '@20minutes/s3rver' {
  import type { AddressInfo } from 'node:net'

  export default class S3rver {
    constructor(options: {
      address: string
      port: number
      directory: string
      silent: boolean
      configureBuckets: { name: string; configs: string[] }[]
    })
    middleware: ((context: { path: string; app: object }, next: () => Promise<void>) => Promise<void>)[]
    run(): Promise<AddressInfo>
    close(): Promise<void>
  }
}
