/** The addresses in examples of the documentation. An installation shows its own address instead. */
export const EXAMPLE_ADDRESS = /http:\/\/localhost:8080(?!\d)|https:\/\/print\.example\.com(?![\w.-])/g
