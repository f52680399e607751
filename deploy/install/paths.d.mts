export const root: string
export const agentPackages: string
export const compileCache: string
export const toolsDirectory: string
