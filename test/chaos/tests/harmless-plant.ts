/** Shows that a plant is loaded, by one line in the process's log. */
console.log('planted')
