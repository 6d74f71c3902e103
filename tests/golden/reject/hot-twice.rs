hot!(BASE, BASE);
outlined!(BASE, BASE_QUIET, BASE_QUIET);

//~ 1:12: the hot list names `BASE` twice [hot-twice]
//~ 2:11: the outlined list names `BASE`, which another list names [hot-twice]
//~ 2:29: the outlined list names `BASE_QUIET` twice [hot-twice]
