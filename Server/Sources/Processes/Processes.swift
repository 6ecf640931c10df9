// Which processes have locked a file or hold a port, as Linux lists them under /proc. Messages name the process that is
// in the way. Begin with `RunningProcess.swift`.
