export const root: string
export const compileCache: string
